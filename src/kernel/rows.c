/* Sums of rows of packed tables. Reference: models/forward/bag.py and models/blend/blender.py. */
#include "kernel.h"

#include <math.h>
#include <string.h>

#define NIBBLE_ZERO 8
#define BLOCK 64 /* rows that are added up together */

/* out += the sum of weight · row over some rows, without their scales, for the three ways in which `StoredMatrix` keeps
 * numbers. Four rows at a time: what is added up is then read and written a quarter as often. */
#define SUM(name, type, number)                                                                                         \
    FAST static void name(float *restrict out, const type *const *rows, const float *weights, Py_ssize_t count,        \
                          Py_ssize_t width)                                                                            \
    {                                                                                                                   \
        Py_ssize_t n = 0;                                                                                               \
        for (; n + 4 <= count; n += 4) {                                                                                \
            const type *restrict a = rows[n], *restrict b = rows[n + 1], *restrict c = rows[n + 2],                     \
                       *restrict d = rows[n + 3];                                                                       \
            float first = weights[n], second = weights[n + 1], third = weights[n + 2], fourth = weights[n + 3];         \
            for (Py_ssize_t i = 0; i < width; i++)                                                                      \
                out[i] += (first * number(a, i) + second * number(b, i)) + (third * number(c, i) + fourth * number(d, i)); \
        }                                                                                                               \
        for (; n < count; n++)                                                                                          \
            for (Py_ssize_t i = 0; i < width; i++)                                                                      \
                out[i] += weights[n] * number(rows[n], i);                                                              \
    }
#define PLAIN(row, i) ((float)(row)[i])
SUM(sum_floats, float, PLAIN)
SUM(sum_bytes, int8_t, PLAIN)

FAST static void add_nibbles(float *restrict out, const uint8_t *restrict row, float weight, Py_ssize_t width)
{
    for (Py_ssize_t i = 0; i < width / 2; i++) {
        out[2 * i] += weight * (float)((row[i] & 15) - NIBBLE_ZERO);
        out[2 * i + 1] += weight * (float)((row[i] >> 4) - NIBBLE_ZERO);
    }
    if (width % 2)
        out[width - 1] += weight * (float)((row[width / 2] & 15) - NIBBLE_ZERO);
}

/* out += the sum of weight · row over at most BLOCK rows, with or without their scales. Reference: StoredMatrix.floats in
 * models/stored.py. */
static void sum_block(float *out, const Table *table, const int64_t *rows, const float *weights, Py_ssize_t count,
                      int scaled)
{
    const void *at[BLOCK];
    float weight[BLOCK];
    size_t bytes = table_row_bytes(table->kind, table->width);
    for (Py_ssize_t n = 0; n < count; n++) {
        at[n] = (const char *)table->values + (size_t)rows[n] * bytes;
        PREFETCH(at[n]);
        PREFETCH((const char *)at[n] + bytes / 2);
        weight[n] = weights[n] * (scaled && table->scales != NULL ? table->scales[rows[n]] : 1);
    }
    if (table->kind == 'f')
        sum_floats(out, (const float *const *)at, weight, count, table->width);
    else if (table->kind == 'b')
        sum_bytes(out, (const int8_t *const *)at, weight, count, table->width);
    else
        for (Py_ssize_t n = 0; n < count; n++)
            add_nibbles(out, at[n], weight[n], table->width);
}

static int all_below(const int64_t *rows, Py_ssize_t count, Py_ssize_t limit)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (rows[i] < 0 || rows[i] >= limit)
            return 0;
    return 1;
}

/* mean_rows(rows, lengths, values, scales, width, kind, out): the mean of each word's rows of a table. Reference:
 * BagPass.__call__ in models/forward/bag.py, before `of_means`. */
PyObject *kernel_mean_rows(PyObject *module, PyObject *args)
{
    Py_buffer rows, lengths, values, scales, out;
    Py_ssize_t width;
    int kind;
    Table table;
    PyObject *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*y*y*nCw*", &rows, &lengths, &values, &scales, &width, &kind, &out))
        return NULL;
    if (table_of(&table, &values, &scales, width, kind) < 0)
        goto done;
    const int64_t *row = rows.buf, *count = lengths.buf;
    Py_ssize_t words = lengths.len / 8, total = 0;
    float *sums = out.buf;
    for (Py_ssize_t i = 0; i < words && count[i] > 0 && total <= rows.len / 8; i++)
        total += (Py_ssize_t)count[i];
    if (total != rows.len / 8 || out.len != words * width * 4 || !all_below(row, total, table.rows)) {
        PyErr_SetString(PyExc_IndexError, "The rows do not fit the table or the words.");
        goto done;
    }
    float ones[BLOCK];
    for (int i = 0; i < BLOCK; i++)
        ones[i] = 1;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < words; i++) {
        memset(sums, 0, (size_t)width * sizeof *sums);
        for (int64_t left = count[i]; left > 0; left -= BLOCK) {
            Py_ssize_t some = left < BLOCK ? (Py_ssize_t)left : BLOCK;
            sum_block(sums, &table, row, ones, some, 1);
            row += some;
        }
        for (Py_ssize_t j = 0; j < width; j++)
            sums[j] /= (float)count[i];
        sums += width;
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    PyBuffer_Release(&rows);
    PyBuffer_Release(&lengths);
    PyBuffer_Release(&values);
    PyBuffer_Release(&scales);
    PyBuffer_Release(&out);
    return result;
}

/* times_table(vector, values, scales, width, kind, out): out += vector @ table, without zeros of the vector. Reference:
 * the products in models/forward/bag.py. */
PyObject *kernel_times_table(PyObject *module, PyObject *args)
{
    Py_buffer vector, values, scales, out;
    Py_ssize_t width;
    int kind;
    Table table;
    PyObject *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*y*nCw*", &vector, &values, &scales, &width, &kind, &out))
        return NULL;
    if (table_of(&table, &values, &scales, width, kind) < 0)
        goto done;
    if (vector.len != table.rows * 4 || out.len != width * 4) {
        PyErr_SetString(PyExc_ValueError, "The vector does not fit the table.");
        goto done;
    }
    int64_t rows[BLOCK];
    float weights[BLOCK];
    Py_ssize_t some = 0;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < table.rows; i++) {
        rows[some] = i;
        weights[some] = ((const float *)vector.buf)[i];
        some += weights[some] != 0;
        if (some == BLOCK || i == table.rows - 1) {
            sum_block(out.buf, &table, rows, weights, some, 1);
            some = 0;
        }
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    PyBuffer_Release(&vector);
    PyBuffer_Release(&values);
    PyBuffer_Release(&scales);
    PyBuffer_Release(&out);
    return result;
}

/* out += weight · row / length of the row; a zero row adds nothing. Reference: rows_of_length in vectors/neighbours.py. */
FAST static void add_direction(float *out, const Table *table, int64_t row, float weight)
{
    Py_ssize_t width = table->width;
    if (table->kind == 'f') { /* in double: squares of small and large floats are no floats */
        const float *numbers = (const float *)table->values + row * width;
        double square = 0;
        for (Py_ssize_t i = 0; i < width; i++)
            square += (double)numbers[i] * numbers[i];
        double share = square > 0 ? weight / sqrt(square) : 0;
        for (Py_ssize_t i = 0; i < width; i++)
            out[i] += (float)(share * numbers[i]);
        return;
    }
    int64_t square = 0;
    if (table->kind == 'b') {
        const int8_t *numbers = (const int8_t *)table->values + row * width;
        for (Py_ssize_t i = 0; i < width; i++)
            square += numbers[i] * numbers[i];
    } else {
        const uint8_t *halves = (const uint8_t *)table->values + row * ((width + 1) / 2);
        for (Py_ssize_t i = 0; i < width / 2; i++) {
            int low = (halves[i] & 15) - NIBBLE_ZERO, high = (halves[i] >> 4) - NIBBLE_ZERO;
            square += low * low + high * high;
        }
        if (width % 2) {
            int low = (halves[width / 2] & 15) - NIBBLE_ZERO;
            square += low * low;
        }
    }
    float scale = table->scales[row]; /* its sign is all that is left of it */
    if (square && scale != 0) {
        float share = (float)((scale > 0 ? weight : -weight) / sqrt((double)square));
        sum_block(out, table, &row, &share, 1, 0);
    }
}

/* add_rows(words, rows, weights, values, scales, width, kind, out): add each weighed row, scaled to length 1, to the
 * vector of its word. Reference: Blender._weighted_mean in models/blend/blender.py. */
PyObject *kernel_add_rows(PyObject *module, PyObject *args)
{
    Py_buffer words, rows, weights, values, scales, out;
    Py_ssize_t width;
    int kind;
    Table table;
    PyObject *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*nCw*", &words, &rows, &weights, &values, &scales, &width, &kind, &out))
        return NULL;
    if (table_of(&table, &values, &scales, width, kind) < 0)
        goto done;
    const int64_t *word = words.buf, *row = rows.buf;
    const float *weight = weights.buf;
    Py_ssize_t pairs = rows.len / 8, vectors = out.len / 4 / width;
    if (words.len != rows.len || weights.len != pairs * 4 || !all_below(row, pairs, table.rows) ||
        !all_below(word, pairs, vectors)) {
        PyErr_SetString(PyExc_IndexError, "The rows do not fit the table or the words.");
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < pairs; i++)
        add_direction((float *)out.buf + word[i] * width, &table, row[i], weight[i]);
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    PyBuffer_Release(&words);
    PyBuffer_Release(&rows);
    PyBuffer_Release(&weights);
    PyBuffer_Release(&values);
    PyBuffer_Release(&scales);
    PyBuffer_Release(&out);
    return result;
}

/* Scale a row of floats to a length; a zero row stays zero. In double: squares of small and large floats are no floats. */
FAST static void scale_row(float *row, Py_ssize_t width, double length)
{
    double sums[4] = {0};
    Py_ssize_t i = 0;
    for (; i + 4 <= width; i += 4)
        for (int j = 0; j < 4; j++)
            sums[j] += (double)row[i + j] * row[i + j];
    for (; i < width; i++)
        sums[0] += (double)row[i] * row[i];
    double square = (sums[0] + sums[1]) + (sums[2] + sums[3]), share = square > 0 ? length / sqrt(square) : 0;
    if (share > 1e-30 && share < 1e30)
        for (i = 0; i < width; i++)
            row[i] *= (float)share;
    else
        for (i = 0; i < width; i++)
            row[i] = (float)(share * row[i]);
}

/* scale_rows(matrix, width, length). Reference: rows_of_length in vectors/neighbours.py. */
PyObject *kernel_scale_rows(PyObject *module, PyObject *args)
{
    Py_buffer matrix;
    Py_ssize_t width;
    double length;
    (void)module;
    if (!PyArg_ParseTuple(args, "w*nd", &matrix, &width, &length))
        return NULL;
    Py_ssize_t rows = width > 0 ? matrix.len / 4 / width : 0;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < rows; i++)
        scale_row((float *)matrix.buf + i * width, width, length);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&matrix);
    Py_RETURN_NONE;
}
