/* Known words that share keys with a word. Reference: models/retrieval/similar_words.py, keys.py, key_table.py,
 * letter_rows.py, sound_rows.py and common_letters.py. */
#include "similar.h"

#include <string.h>

#define BASE 0x9E3779B97F4A7C15ULL
#define SALT 0xD1B54A32D192ED03ULL
#define ONE_SHIFTED 0xF1DE83E19937733DULL /* BASE^-1 modulo 2^64 */
#define STEM 3
#define DEAREST 0xFFF

enum { ONE_OUT, WHOLE, ONE_CLASS_OUT, TWO_TWO, THREE_ONE, FIRST_FOUR, FIRST_SIX, FIRST_EIGHT, SOUNDS, FIRST_SOUNDS, SOUND_SET,
       CLASSES };

static uint64_t salt(int kind)
{
    return (uint64_t)(kind + 1) * SALT;
}

/* The key of a number that stands for all of a word. */
static uint64_t mixed(uint64_t number, int kind)
{
    return number * BASE + salt(kind);
}

/* Write the letters and sounds of a word. Reference: SpeltWords.of. */
static void spell_word(const Similar *index, const Py_UCS4 *word, Py_ssize_t length, Spelt *spelt)
{
    memset(spelt, 0, sizeof *spelt);
    spelt->length = (int)(length < WIDTH ? length : WIDTH);
    for (int i = 0; i < spelt->length; i++)
        spelt->letters[i] = index->letter_of[(Py_ssize_t)word[i] < index->points ? (Py_ssize_t)word[i] : index->points - 1];
    const uint8_t *letters = spelt->letters;
    int before = 0, last = 0;
    for (int i = 0; i < spelt->length && spelt->sound_length < LONGEST; i++) {
        int next = i + 1 < WIDTH ? letters[i + 1] : 0, after = i + 2 < WIDTH ? letters[i + 2] : 0;
        int place = ((before * LETTERS + letters[i]) * LETTERS + next) * 3 + index->vowels[after];
        int first = index->sounds[place] & 15, second = index->sounds[place] >> 4;
        if (first && first != last)
            spelt->sounds[spelt->sound_length++] = (uint8_t)first;
        if (second && spelt->sound_length < LONGEST)
            spelt->sounds[spelt->sound_length++] = (uint8_t)second;
        last = second ? second : first;
        before = letters[i];
    }
}

/* Write the keys of a word and return how many. Reference: keys_of in keys.py. */
INLINE int keys_of(const Similar *index, const Spelt *spelt, uint64_t *keys)
{
    const uint8_t *letters = spelt->letters;
    uint64_t prefix[WIDTH + 1], powers[WIDTH], shifts[MOST_AFFIX + 1], power = 1, sounds = 0, classes = 0, set = 0;
    int length = spelt->length, count = 0;
    prefix[0] = 0;
    for (int i = 0; i < WIDTH; i++) {
        powers[i] = power *= BASE;
        prefix[i + 1] = prefix[i] + letters[i] * power;
    }
    shifts[0] = 1;
    for (int i = 1; i <= MOST_AFFIX; i++)
        shifts[i] = shifts[i - 1] * ONE_SHIFTED;
    uint64_t whole = prefix[WIDTH];
    for (int i = 0; i < length; i++)
        if (letters[i] && (i == 0 || letters[i] != letters[i - 1]))
            keys[count++] = prefix[i] + (whole - prefix[i + 1]) * shifts[1] + salt(ONE_OUT);
    keys[count++] = whole + salt(ONE_OUT);
    for (int cut = LEAST_AFFIX; cut <= MOST_AFFIX && length - cut >= STEM; cut++) {
        keys[count++] = prefix[length - cut] + salt(WHOLE);
        keys[count++] = (whole - prefix[cut]) * shifts[cut] + salt(WHOLE);
    }
    for (int i = 0; i < spelt->sound_length; i++) {
        sounds |= (uint64_t)spelt->sounds[i] << 4 * i;
        classes |= (uint64_t)index->classes[spelt->sounds[i]] << 4 * i;
        set |= 1ULL << spelt->sounds[i];
    }
    for (int i = 0; i < spelt->sound_length && spelt->sound_length > 1; i++) {
        uint64_t below = (1ULL << 4 * i) - 1;
        keys[count++] = mixed((classes & below) | (classes >> 4 & ~below), ONE_CLASS_OUT);
    }
    uint64_t last = length > 0 ? letters[length - 1] : 0, last_but_one = length > 1 ? letters[length - 2] : 0;
    keys[count++] = prefix[2] + last * powers[2] + last_but_one * powers[3] + salt(TWO_TWO);
    keys[count++] = prefix[3] + last * powers[3] + salt(THREE_ONE);
    keys[count++] = prefix[4] + salt(FIRST_FOUR);
    keys[count++] = prefix[6] + salt(FIRST_SIX);
    keys[count++] = prefix[8] + salt(FIRST_EIGHT);
    if (spelt->sound_length == 0)
        return count;
    keys[count++] = mixed(classes, ONE_CLASS_OUT);
    keys[count++] = mixed(sounds, SOUNDS);
    keys[count++] = mixed(sounds & 0xFFFF, FIRST_SOUNDS);
    keys[count++] = mixed(set << 4 | (sounds & 15), SOUND_SET);
    keys[count++] = mixed(classes, CLASSES);
    return count;
}

/* Compare a word with a known one and return what it costs; no matter what if more than `most`. Reference:
 * SimilarWords.find. */
INLINE int cost_of(const Similar *index, const Spelt *word, uint32_t set, const uint32_t *letter_bits,
                   const uint32_t *sound_bits, int most, Pair *pair)
{
    const Known *known = &index->known[pair->row];
    const int *costs = index->costs;
    int longer = known->length - word->length, more = known->sound_length - word->sound_length;
    int cost = known->cost + costs[4] * (word->letters[0] != known->letters[0]);
    int least_for_sounds = more < 0 ? -more * costs[2] : more * costs[3];
    /* Letters that only one of them has are left over in any case. */
    int left = bit_count(set & ~known->set), other_left = bit_count(known->set & ~set);
    left = left < other_left - longer ? other_left - longer : left;
    left = left < -longer ? -longer : left;
    if (cost + least_for_sounds + costs[0] * left + costs[1] * (longer + left) > most)
        return most + 1;
    pair->letters_left = unmatched(letter_bits, known->letters, known->length) & ((1u << word->length) - 1);
    int letters_left = bit_count(pair->letters_left);
    cost += costs[0] * letters_left + costs[1] * (longer + letters_left);
    if (cost + least_for_sounds > most)
        return most + 1;
    uint32_t sounds = unmatched(sound_bits, known->sounds, known->sound_length) & ((1u << word->sound_length) - 1);
    pair->sounds_left = bit_count(sounds);
    return cost + costs[2] * pair->sounds_left + costs[3] * (more + pair->sounds_left);
}

/* Note that a row was found; return 0 if it was before. There are twice as many slots as rows, and what words before
 * this one left in them counts as empty. */
INLINE int is_new(Seen *seen, uint32_t row)
{
    uint64_t entry = seen->word << 32 | row;
    uint32_t slot = (row * 0x9E3779B1u) >> 21;
    while (seen->slots[slot] >> 32 == seen->word && seen->slots[slot] != entry)
        slot = (slot + 1) & (SLOTS - 1);
    int new = seen->slots[slot] != entry;
    seen->slots[slot] = entry;
    return new;
}

/* The search for a word goes in four steps, so that the steps of several words can take turns: each asks the memory for
 * what the next one reads. Together their reference is SimilarWords.find. */
void search_keys(const Similar *index, const Py_UCS4 *letters, Py_ssize_t length, Search *search)
{
    spell_word(index, letters, length, &search->word);
    search->keys_count = keys_of(index, &search->word, search->keys);
    for (int i = 0; i < search->keys_count; i++)
        PREFETCH(&index->begins[search->keys[i] >> (64 - index->bucket_bits)]);
}

void search_buckets(const Similar *index, const Search *search)
{
    for (int i = 0; i < search->keys_count; i++)
        PREFETCH(&index->entries[index->begins[search->keys[i] >> (64 - index->bucket_bits)]]);
}

/* List the rows that share a key with the word, each once. Reference: KeyTable.look_up. */
void search_rows(const Similar *index, Search *search, Seen *seen)
{
    uint32_t row_mask = (1u << index->row_bits) - 1;
    seen->word++;
    search->rows_count = 0;
    for (int i = 0; i < search->keys_count; i++) {
        uint64_t key = search->keys[i], bucket = key >> (64 - index->bucket_bits);
        uint32_t tag = (uint32_t)((key << index->bucket_bits) >> 32) & ~row_mask;
        for (uint32_t at = index->begins[bucket]; at < index->begins[bucket + 1] && key; at++) {
            uint32_t row = index->entries[at] - tag; /* too large for a row if the bits of the key are others */
            if (row <= row_mask && row < index->rows && search->rows_count < MOST_ROWS && is_new(seen, row)) {
                PREFETCH(&index->known[row]);
                search->rows[search->rows_count++] = row;
            }
        }
    }
}

/* Write the most promising rows, best first, and return how many, at most index->most. */
FAST int search_pairs(const Similar *index, const Search *search, Pair *pairs)
{
    const Spelt *word = &search->word;
    uint32_t letter_bits[LETTERS] = {0}, sound_bits[LONGEST] = {0};
    uint32_t set = 0;
    uint64_t best[MOST_PAIRS];
    int found = 0;
    for (int i = 0; i < word->length; i++) {
        letter_bits[word->letters[i]] |= 1u << i;
        set |= 1u << word->letters[i] & ~1u;
    }
    for (int i = 0; i < word->sound_length; i++)
        sound_bits[word->sounds[i]] |= 1u << i;
    letter_bits[0] = 0;
    for (int i = 0; i < search->rows_count; i++) {
        Pair pair = {.row = search->rows[i]};
        int most = found == index->most ? (int)(best[found - 1] >> 32) : DEAREST;
        if (found && most > (int)(best[0] >> 32) + index->costlier) /* what costs more is left out in the end */
            most = (int)(best[0] >> 32) + index->costlier;
        int cost = cost_of(index, word, set, letter_bits, sound_bits, most, &pair);
        uint64_t order = (uint64_t)(cost < DEAREST ? cost : DEAREST) << 32 | search->rows[i];
        if (cost > most || (found == index->most && order > best[found - 1]))
            continue;
        int at = found < index->most ? found++ : found - 1;
        for (; at > 0 && best[at - 1] > order; at--) {
            best[at] = best[at - 1];
            pairs[at] = pairs[at - 1];
        }
        best[at] = order;
        pairs[at] = pair;
    }
    while (found && (best[found - 1] >> 32) > (best[0] >> 32) + (uint64_t)index->costlier)
        found--;
    return found;
}
