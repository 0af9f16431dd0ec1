/* How words align with similar known ones, and how much each counts. Reference: models/blend/alignment.py and
 * reading_gate.py. */
#include "gate.h"

#include <math.h>
#include <string.h>

#define VOWELS (1u << 1 | 1u << 5 | 1u << 9 | 1u << 15 | 1u << 21 | 1u << 25) /* a e i o u y */
#define E 5
#define LOWEST (-20.0f)
#define NO_CANDIDATE (-1e9f)

/* How often each letter occurs, or how much more often in one word than in another; which occur at all, as bits. */
typedef struct {
    int8_t counts[LETTERS];
    uint32_t letters;
} Bag;

/* A word that is asked about, with what all its alignments need. */
typedef struct {
    Spelt word;
    uint32_t places[PLACES];
    Bag bag;
} Asked;

/* Sets of a word's positions as bits. Reference: WordShapes in alignment.py. */
INLINE void places_of(const uint8_t *letters, int length, uint32_t *places)
{
    uint32_t vowels = 0, same = 0;
    for (int i = 0; i < length; i++) {
        vowels |= (VOWELS >> letters[i] & 1) << i;
        if (i > 0)
            same |= (uint32_t)(letters[i] == letters[i - 1] && letters[i] != 0) << i;
    }
    uint32_t adjacent = vowels & vowels << 1;
    places[0] = vowels;
    places[1] = same | same >> 1;
    places[2] = adjacent | adjacent >> 1;
    places[3] = length > 0 && letters[length - 1] == E ? 1u << (length - 1) : 0;
    places[4] = 7;
    places[5] = length > 2 ? 0xFFFFFFFFu << (length - 2) : 0xFFFFFFFFu;
}

/* Write how many unmatched letters there are: all, those in each set, and runs of them. */
INLINE void count_unmatched(uint32_t left, const uint32_t *places, float *counts)
{
    counts[0] = (float)bit_count(left) / 2;
    for (int i = 0; i < PLACES; i++)
        counts[1 + i] = (float)bit_count(left & places[i]) / 2;
    counts[1 + PLACES] = (float)bit_count(left & ~(left << 1)) / 2;
}

/* Note what all alignments of a word need. */
static void asked_of(const Spelt *word, Asked *asked)
{
    asked->word = *word;
    places_of(word->letters, word->length, asked->places);
    memset(&asked->bag, 0, sizeof asked->bag);
    for (int i = 0; i < word->length; i++) {
        asked->bag.counts[word->letters[i]]++;
        asked->bag.letters |= 1u << word->letters[i] & ~1u;
    }
}

/* Write the features of a word and a known one; return how many letters they share at the beginning and the end by
 * `ends`, and the difference of their letters by `bag`. Reference: align. */
INLINE void align(const Asked *asked, const Known *known, const Pair *pair, float *features, int *ends,
                  Bag *bag)
{
    const Spelt *word = &asked->word;
    int length = word->length, other = known->length, sounds = word->sound_length, other_sounds = known->sound_length;
    int shorter = length < other ? length : other, longer = length < other ? other : length, begin = 0, end = 0;
    uint32_t places[PLACES], positions[LETTERS] = {0};
    places_of(known->letters, other, places);
    for (int i = 0; i < other; i++)
        positions[known->letters[i]] |= 1u << i;
    positions[0] = 0;
    count_unmatched(pair->letters_left, asked->places, features);
    count_unmatched(unmatched(positions, word->letters, length) & ((1u << other) - 1), places, features + PLACES + 2);
    while (begin < shorter && word->letters[begin] == known->letters[begin])
        begin++;
    while (end < shorter - begin && word->letters[length - 1 - end] == known->letters[other - 1 - end])
        end++;
    int uncommon = 0;
    *bag = asked->bag;
    for (int i = 0; i < other; i++) {
        bag->counts[known->letters[i]]--;
        bag->letters |= 1u << known->letters[i] & ~1u;
    }
    for (uint32_t left = bag->letters; left; left &= left - 1) {
        int more = bag->counts[lowest_bit(left)];
        uncommon += more < 0 ? -more : more;
    }
    int most_sounds = sounds > other_sounds ? sounds : other_sounds, agreed = begin + end;
    float *rest = features + 2 * (PLACES + 2), whole = (float)(longer ? longer : 1);
    rest[0] = (float)pair->sounds_left / 2;
    rest[1] = (float)(other_sounds - sounds + pair->sounds_left) / 2;
    rest[2] = (float)begin / 4;
    rest[3] = (float)end / 4;
    rest[4] = (float)length / 8;
    rest[5] = (float)other / 8;
    rest[6] = (float)sounds / 4;
    rest[7] = (float)(longer - shorter) / 2;
    rest[8] = (float)uncommon / 4;
    rest[9] = known->rarity;
    rest[10] = (float)begin / whole;
    rest[11] = (float)end / whole;
    rest[12] = ((float)length - 2 * features[0]) / whole;
    rest[13] = (float)(sounds - pair->sounds_left) / (float)(most_sounds ? most_sounds : 1);
    rest[14] = begin == 0;
    rest[15] = end == 0;
    rest[16] = agreed == length;
    rest[17] = agreed == other;
    rest[18] = begin == other;
    rest[19] = end == other;
    int at = begin < WIDTH ? begin : WIDTH - 1, next = begin < WIDTH - 1 ? at + 1 : at, left = length - agreed;
    int before = begin > 0 ? word->letters[at - 1] : 0, here = word->letters[at], there = known->letters[at];
    int other_left = other - agreed;
    rest[20] = left == 1 && other_left == 1;
    rest[21] = left == 1 && other_left == 0;
    rest[22] = left == 0 && other_left == 1;
    rest[23] = left == 2 && other_left == 2 && here == known->letters[next] && there == word->letters[next];
    rest[24] = here == before;
    rest[25] = there == before;
    ends[0] = begin;
    ends[1] = end;
}

/* hidden += the sum of weight · row over rows of a table, four at a time; `rows` names them, or they are the first. */
INLINE void add_weighed(float *restrict hidden, const float *table, const int *rows, const float *weights, int count, int width)
{
    int n = 0;
    for (; n + 4 <= count; n += 4) {
        const float *restrict a = table + (rows ? rows[n] : n) * width, *restrict b = table + (rows ? rows[n + 1] : n + 1) * width;
        const float *restrict c = table + (rows ? rows[n + 2] : n + 2) * width, *restrict d = table + (rows ? rows[n + 3] : n + 3) * width;
        float first = weights[n], second = weights[n + 1], third = weights[n + 2], fourth = weights[n + 3];
        for (int i = 0; i < width; i++)
            hidden[i] += (first * a[i] + second * b[i]) + (third * c[i] + fourth * d[i]);
    }
    for (; n < count; n++) {
        const float *restrict row = table + (rows ? rows[n] : n) * width;
        float weight = weights[n];
        for (int i = 0; i < width; i++)
            hidden[i] += weight * row[i];
    }
}

INLINE float rectified_product(const float *restrict hidden, const float *restrict score, int width)
{
    float sums[8] = {0}, total = 0;
    int i = 0;
    for (; i + 8 <= width; i += 8)
        for (int j = 0; j < 8; j++)
            sums[j] += (hidden[i + j] > 0 ? hidden[i + j] : 0) * score[i + j];
    for (; i < width; i++)
        total += (hidden[i] > 0 ? hidden[i] : 0) * score[i];
    for (int j = 0; j < 8; j++)
        total += sums[j];
    return total;
}

INLINE int letter_pair(const Spelt *word, const Known *known, int at, int other)
{
    return (at >= 0 && at < WIDTH ? word->letters[at] : 0) * LETTERS +
           (other >= 0 && other < WIDTH ? known->letters[other] : 0);
}

/* Return the score of a candidate. Reference: ReadingGate._candidate_scores. */
INLINE float score_of(const Gate *gate, const Asked *asked, const Known *known, const float *features, const int *ends,
                      const Bag *bag)
{
    float hidden[MOST_HIDDEN];
    int width = gate->hidden, other = known->length;
    const Spelt *word = &asked->word;
    int rows[WIDTH * 2], count = 0;
    float weights[WIDTH * 2];
    for (uint32_t left = bag->letters; left; left &= left - 1) {
        int letter = lowest_bit(left), more = bag->counts[letter];
        rows[count] = FEATURES + letter - 1 + (more < 0 ? LETTERS - 1 : 0);
        weights[count] = (float)(more < 0 ? -more : more);
        count += more != 0;
    }
    int begin = ends[0] < WIDTH ? ends[0] : WIDTH - 1, end = ends[1] < WIDTH ? ends[1] : WIDTH - 1;
    const float *first = gate->letters[0] + letter_pair(word, known, 0, 0) * width;
    const float *differ = gate->letters[1] + letter_pair(word, known, begin, begin) * width;
    const float *cease = gate->letters[2] + letter_pair(word, known, word->length - 1 - end, other - 1 - end) * width;
    int before = ends[0] > 0 ? word->letters[begin - 1] : 0;
    const float *own = gate->letters[3] + (before * LETTERS + word->letters[begin]) * width;
    for (int i = 0; i < width; i++)
        hidden[i] = (gate->bias[i] + first[i]) + (differ[i] + cease[i]) + own[i];
    add_weighed(hidden, gate->features, NULL, features, FEATURES, width);
    add_weighed(hidden, gate->features, rows, weights, count, width);
    return rectified_product(hidden, gate->score, width);
}

/* Write how likely the letters of a word are, on the average and at the strangest place, and how many there are.
 * Reference: likeliness in reading_gate.py. */
INLINE void tell_likeliness(const Spelt *word, const float *trigrams, float *told)
{
    float sum = 0, least = 0;
    for (int i = 0; i < word->length; i++) {
        int before = i ? word->letters[i - 1] : 0, after = i + 1 < word->length ? word->letters[i + 1] : 0;
        float likely = trigrams[(before * LETTERS + word->letters[i]) * LETTERS + after];
        sum += likely;
        least = likely < least ? likely : least;
    }
    told[0] = sum / (float)(word->length ? word->length : 1);
    told[1] = least / 4;
    told[2] = (float)word->length / 10;
}

/* Weigh the candidates of a word and its form, and write what the form's share was made of. Reference:
 * ReadingGate.weigh. */
FAST void weigh(const Gate *gate, const Similar *index, const Spelt *word, const Pair *pairs, int count, float *shares,
                float *form_share, float *best)
{
    Asked asked;
    asked_of(word, &asked);
    float features[FEATURES], hidden[MOST_HIDDEN], scores[MOST_PAIRS], first = NO_CANDIDATE, second = NO_CANDIDATE;
    memset(best, 0, TOLD * sizeof *best);
    for (int n = 0; n < count; n++) {
        int ends[2];
        Bag bag;
        const Known *known = &index->known[pairs[n].row];
        align(&asked, known, &pairs[n], features, ends, &bag);
        scores[n] = score_of(gate, &asked, known, features, ends, &bag);
        if (n == 0 || scores[n] > first) {
            second = first;
            first = scores[n];
            memcpy(best, features, sizeof features);
        } else if (scores[n] > second)
            second = scores[n];
    }
    int width = gate->form_hidden;
    memcpy(hidden, gate->form_bias, (size_t)width * sizeof *hidden);
    best[FEATURES] = (first > LOWEST ? first : LOWEST) / 8;
    best[FEATURES + 1] = (second > LOWEST ? second : LOWEST) / 8;
    best[FEATURES + 2] = (float)count / (float)index->most;
    tell_likeliness(word, gate->trigrams, best + FEATURES + 3);
    add_weighed(hidden, gate->form_features, NULL, best, TOLD, width);
    float form = rectified_product(hidden, gate->form_score, width) + *gate->form_score_bias;
    float top = count && first > form ? first : form, total = 0;
    for (int n = 0; n < count; n++)
        total += shares[n] = expf(scores[n] - top);
    total += *form_share = expf(form - top);
    for (int n = 0; n < count; n++)
        shares[n] /= total;
    *form_share /= total;
}
