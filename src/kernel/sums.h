/* Weighted sums of rows of floats. Reference: the matrix products of models/forward/bag.py and
 * models/blend/reading_gate.py. */
#ifndef EVERYWORD_SUMS_H
#define EVERYWORD_SUMS_H

#include "kernel.h"

#if defined(__clang__) || defined(__GNUC__)
#define HAS_VECTORS
typedef float Eight __attribute__((vector_size(32)));
typedef float EightInMemory __attribute__((vector_size(32), aligned(4), may_alias));
#define ROW(n) ((const EightInMemory *)(table + (rows ? rows[n] : (int64_t)(n)) * width + first))
#endif

/* out += the sum of weights[n] · table[rows[n]] over `count` rows of `width` numbers; without `rows`, the first rows are
 * meant. Eight numbers at a time, in as many sums as registers hold and as are needed not to wait for the last one. */
INLINE void add_floats(float *restrict out, const float *restrict table, const int64_t *rows, const float *weights,
                       Py_ssize_t count, Py_ssize_t width)
{
    Py_ssize_t first = 0;
#ifdef HAS_VECTORS
    for (; first + 64 <= width; first += 64) {
        EightInMemory *to = (EightInMemory *)(out + first);
        Eight a = to[0], b = to[1], c = to[2], d = to[3], e = to[4], f = to[5], g = to[6], h = to[7];
        for (Py_ssize_t n = 0; n < count; n++) {
            const EightInMemory *row = ROW(n);
            float weight = weights[n];
            a += weight * row[0];
            b += weight * row[1];
            c += weight * row[2];
            d += weight * row[3];
            e += weight * row[4];
            f += weight * row[5];
            g += weight * row[6];
            h += weight * row[7];
        }
        to[0] = a, to[1] = b, to[2] = c, to[3] = d, to[4] = e, to[5] = f, to[6] = g, to[7] = h;
    }
    for (; first + 32 <= width; first += 32) {
        EightInMemory *to = (EightInMemory *)(out + first);
        Eight a = to[0], b = to[1], c = to[2], d = to[3], e = {0}, f = {0}, g = {0}, h = {0};
        Py_ssize_t n = 0;
        for (; n + 2 <= count; n += 2) {
            const EightInMemory *row = ROW(n), *next = ROW(n + 1);
            float weight = weights[n], other = weights[n + 1];
            a += weight * row[0];
            b += weight * row[1];
            c += weight * row[2];
            d += weight * row[3];
            e += other * next[0];
            f += other * next[1];
            g += other * next[2];
            h += other * next[3];
        }
        if (n < count) {
            const EightInMemory *row = ROW(n);
            a += weights[n] * row[0];
            b += weights[n] * row[1];
            c += weights[n] * row[2];
            d += weights[n] * row[3];
        }
        to[0] = a + e, to[1] = b + f, to[2] = c + g, to[3] = d + h;
    }
    for (; first + 8 <= width; first += 8) {
        EightInMemory *to = (EightInMemory *)(out + first);
        Eight a = to[0], b = {0}, c = {0}, d = {0};
        Py_ssize_t n = 0;
        for (; n + 4 <= count; n += 4) {
            a += weights[n] * *ROW(n);
            b += weights[n + 1] * *ROW(n + 1);
            c += weights[n + 2] * *ROW(n + 2);
            d += weights[n + 3] * *ROW(n + 3);
        }
        for (; n < count; n++)
            a += weights[n] * *ROW(n);
        to[0] = (a + b) + (c + d);
    }
#endif
    for (Py_ssize_t n = 0; n < count && first < width; n++)
        for (Py_ssize_t i = first; i < width; i++)
            out[i] += weights[n] * table[(rows ? rows[n] : (int64_t)n) * width + i];
}

#endif
