/* How words align with similar known ones, and how much each counts. Reference: models/blend/alignment.py and
 * reading_gate.py. */
#include "gate.h"
#include "sums.h"

#include <math.h>
#include <string.h>

#define VOWELS (1u << 1 | 1u << 5 | 1u << 9 | 1u << 15 | 1u << 21 | 1u << 25) /* a e i o u y */
#define E 5
#define LOWEST (-20.0f)
#define NO_CANDIDATE (-1e9f)
#define SOFTNESS 0.65f /* reading_gate.SOFTNESS */

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

/* Sets of a word's positions as bits: vowels, doubled letters, adjacent vowels. Reference: WordShapes in alignment.py. */
static void letter_places(const uint8_t *letters, int length, uint32_t *places)
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
}

/* The others: the last e, the first three letters and the last two. */
INLINE void other_places(const uint8_t *letters, int length, uint32_t *places)
{
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

/* Note of known words what their alignments need. Reference: WordShapes in alignment.py. */
void mark_letters(Known *known, Py_ssize_t count)
{
    for (Py_ssize_t n = 0; n < count; n++, known++) {
        uint32_t places[3];
        int length = known->length < WIDTH ? known->length : WIDTH;
        letter_places(known->letters, length, places);
        known->vowels = places[0];
        known->doubled = places[1];
        known->adjacent = places[2];
        known->set = 0;
        for (int i = 0; i < length; i++)
            known->set |= 1u << (known->letters[i] & 31) & ~1u;
    }
}

/* Note what all alignments of a word need. */
static void asked_of(const Spelt *word, Asked *asked)
{
    asked->word = *word;
    letter_places(word->letters, word->length, asked->places);
    other_places(word->letters, word->length, asked->places);
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
    uint32_t places[PLACES] = {known->vowels, known->doubled, known->adjacent}, positions[LETTERS] = {0};
    other_places(known->letters, other, places);
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
    bag->letters |= known->set;
    for (int i = 0; i < other; i++)
        bag->counts[known->letters[i]]--;
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

/* Write the scores of a candidate, as the word that was meant and as a relative. Reference:
 * ReadingGate._candidate_scores. */
INLINE void score_candidate(const Gate *gate, const Asked *asked, const Known *known, const float *features,
                            const int *ends, const Bag *bag, float *meant, float *relative)
{
    float hidden[MOST_HIDDEN];
    int width = gate->hidden, other = known->length;
    const Spelt *word = &asked->word;
    int64_t rows[WIDTH * 2];
    float weights[WIDTH * 2];
    int count = 0;
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
    add_floats(hidden, gate->features, NULL, features, FEATURES, width);
    add_floats(hidden, gate->features, rows, weights, count, width);
    *meant = rectified_product(hidden, gate->score, width);
    *relative = rectified_product(hidden, gate->score + width, width);
}

/* Write how likely the letters of a word are, on the average and at the strangest place, and how many there are.
 * Reference: likeliness in reading_gate.py. */
INLINE void tell_likeliness(const Spelt *word, const float *trigrams, float *told)
{
    float sum = 0, least = 0;
    for (int i = 0; i < word->length; i++) {
        int before = i ? word->letters[i - 1] : 0, after = i + 1 < word->length ? word->letters[i + 1] : 0;
        float likely = word->letters[i] ? trigrams[(before * LETTERS + word->letters[i]) * LETTERS + after] : 0;
        sum += likely;
        least = likely < least ? likely : least;
    }
    told[0] = sum / (float)(word->length ? word->length : 1);
    told[1] = least / 4;
    told[2] = (float)word->length / 10;
}

/* shares[n] += weight · the softmax of softness · scores, `top` being the greatest; return the share of one more score. */
INLINE float add_softmax(const float *scores, int count, float softness, float top, float more, float weight,
                         float *shares)
{
    float powers[MOST_PAIRS], rest = expf(more - top), total = rest;
    for (int n = 0; n < count; n++)
        total += powers[n] = expf(softness * (scores[n] - top));
    for (int n = 0; n < count; n++)
        shares[n] += weight * (powers[n] / total);
    return weight * (rest / total);
}

/* Weigh the candidates of a word and its form, and write what that was made of and how likely the word is misspelt.
 * Reference: ReadingGate.weigh. */
FAST void weigh(const Gate *gate, const Similar *index, const Spelt *word, const Pair *pairs, int count, float *shares,
                float *form_share, float *best)
{
    Asked asked;
    asked_of(word, &asked);
    float features[FEATURES], hidden[MOST_HIDDEN], meant[MOST_PAIRS], relative[MOST_PAIRS];
    float first = NO_CANDIDATE, second = NO_CANDIDATE, most_related = NO_CANDIDATE;
    memset(best, 0, TOLD * sizeof *best);
    for (int n = 0; n < count; n++) {
        int ends[2];
        Bag bag;
        const Known *known = &index->known[pairs[n].row];
        align(&asked, known, &pairs[n], features, ends, &bag);
        score_candidate(gate, &asked, known, features, ends, &bag, &meant[n], &relative[n]);
        if (n == 0 || meant[n] > first) {
            second = first;
            first = meant[n];
            memcpy(best, features, sizeof features);
        } else if (meant[n] > second)
            second = meant[n];
        if (relative[n] > most_related)
            most_related = relative[n];
        shares[n] = 0;
    }
    int width = gate->form_hidden;
    memcpy(hidden, gate->form_bias, (size_t)width * sizeof *hidden);
    best[FEATURES] = (first > LOWEST ? first : LOWEST) / 8;
    best[FEATURES + 1] = (second > LOWEST ? second : LOWEST) / 8;
    best[FEATURES + 2] = (most_related > LOWEST ? most_related : LOWEST) / 8;
    best[FEATURES + 3] = (float)count / (float)index->most;
    tell_likeliness(word, gate->trigrams, best + FEATURES + 4);
    add_floats(hidden, gate->form_features, NULL, best, TOLD, width);
    float sign = rectified_product(hidden, gate->form_score, width) + gate->form_score_bias[0];
    float form = rectified_product(hidden, gate->form_score + width, width) + gate->form_score_bias[1];
    float misspelt = count ? 1 / (1 + expf(-sign)) : 0;
    best[TOLD] = misspelt;
    if (count)
        add_softmax(meant, count, SOFTNESS, first, NO_CANDIDATE, misspelt, shares);
    float top = most_related > form ? most_related : form;
    *form_share = add_softmax(relative, count, 1, top, form, 1 - misspelt, shares);
}
