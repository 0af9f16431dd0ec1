/* Known words of similar spelling or sound, for the files that find and weigh them. */
#ifndef EVERYWORD_SIMILAR_H
#define EVERYWORD_SIMILAR_H

#include "kernel.h"

#define WIDTH 24      /* letter_rows.WIDTH */
#define LETTERS 28    /* letter_rows.LETTERS */
#define LONGEST 16    /* sound_rows.LONGEST */
#define LEAST_AFFIX 2 /* keys.AFFIXES */
#define MOST_AFFIX 5
#define MOST_KEYS (WIDTH + 1 + 2 * (MOST_AFFIX - LEAST_AFFIX + 1) + LONGEST + 1 + 9)
#define MOST_PAIRS 32 /* at least similar_words.MOST */
#define MOST_ROWS 1024 /* more than all keys of a word have */
#define SLOTS 2048

/* A known word, packed by SimilarWords.for_kernel: as long as a line of the cache. */
typedef struct {
    uint8_t letters[WIDTH], sounds[LONGEST];
    uint8_t length, sound_length;
    uint16_t cost; /* of its rarity when candidates are picked */
    float rarity;  /* as a feature of the gate */
    uint32_t set, vowels, doubled, adjacent; /* which letters it has, and where some stand, as bits: mark_letters */
} Known;

/* A word that is asked about. */
typedef struct {
    uint8_t letters[WIDTH], sounds[LONGEST];
    int length, sound_length;
} Spelt;

/* A word and a similar known one: similar_words.Pairs. */
typedef struct {
    int64_t row;
    uint32_t letters_left;
    int sounds_left;
} Pair;

/* What is known so far of a word that is searched for. */
typedef struct {
    Spelt word;
    uint64_t keys[MOST_KEYS];
    uint32_t rows[MOST_ROWS];
    int keys_count, rows_count;
} Search;

/* Rows that were found for a word. */
typedef struct {
    uint64_t word, slots[SLOTS]; /* the number of the word, from 1, above the row */
} Seen;

/* SimilarWords with its KeyTable. */
typedef struct {
    const uint8_t *letter_of; /* of each code point; the last stands for all beyond */
    Py_ssize_t points;
    const uint8_t *sounds, *vowels, *classes; /* sound_rows */
    const Known *known;
    Py_ssize_t rows;
    const uint32_t *begins, *entries; /* KeyTable */
    int bucket_bits, row_bits, most, costlier;
    int costs[5]; /* of a letter, another letter, a sound, another sound, another beginning */
} Similar;

/* Return the letters of a word, as bits, that a longest common subsequence with another leaves out; those beyond its
 * length are set. Reference: unmatched in common_letters.py. */
INLINE uint32_t unmatched(const uint32_t *positions, const uint8_t *other, int length)
{
    uint32_t left = 0xFFFFFFFF;
    for (int i = 0; i < length; i++) {
        uint32_t matching = positions[other[i]] & left;
        left = (left + matching) | (left - matching);
    }
    return left;
}

/* Return how many bits are set. */
INLINE int bit_count(uint32_t bits)
{
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_popcount(bits);
#else
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    return (int)(((bits + (bits >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24);
#endif
}

/* Return the position of the lowest bit that is set. */
INLINE int lowest_bit(uint32_t bits)
{
    return bit_count((bits & (0 - bits)) - 1);
}

void search_keys(const Similar *index, const Py_UCS4 *letters, Py_ssize_t length, Search *search);
void search_buckets(const Similar *index, const Search *search);
void search_rows(const Similar *index, Search *search, Seen *seen);
int search_pairs(const Similar *index, const Search *search, Pair *pairs);

#endif
