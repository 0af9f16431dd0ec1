/* The second gate, for the files that weigh similar words. */
#ifndef EVERYWORD_GATE_H
#define EVERYWORD_GATE_H

#include "similar.h"

#define PLACES 6      /* alignment.PLACES */
#define FEATURES 42   /* alignment.FEATURES */
#define TOLD 49       /* reading_gate.BEST_FEATURES */
#define MOST_HIDDEN 256

/* ReadingGate. */
typedef struct {
    const float *features, *bias, *score, *letters[4];
    const float *form_features, *form_bias, *form_score, *form_score_bias, *trigrams;
    int hidden, form_hidden;
} Gate;

void mark_letters(Known *known, Py_ssize_t count);
void weigh(const Gate *gate, const Similar *index, const Spelt *word, const Pair *pairs, int count, float *shares,
           float *form_share, float *best);

#endif
