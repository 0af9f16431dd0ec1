/* Sums of rows of stored tables. Reference: models/forward/bag.py and models/blend/blender.py. */
#include "sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 64 /* rows that are added up together */

/* A matrix of float32, or of int8 with a scale for each row: `StoredMatrix` in vectors/storage/stored.py. */
typedef struct {
    const void *values;
    const float *scales; /* NULL for floats */
    Py_ssize_t rows, width;
} Table;

/* Read a table from two arrays, values and scales, of which the latter is empty for floats; return 0 or -1. */
static int table_read(const Arrays *arrays, int at, Py_ssize_t width, Table *table)
{
    Py_ssize_t item = array_items(arrays, at + 1, 4) ? 1 : 4;
    table->values = arrays->buffers[at].buf;
    table->scales = item == 1 ? arrays->buffers[at + 1].buf : NULL;
    table->width = width;
    table->rows = width > 0 ? arrays->buffers[at].len / (width * item) : 0;
    if (width < 1 || arrays->buffers[at].len != table->rows * width * item ||
        (item == 1 && array_items(arrays, at + 1, 4) != table->rows))
        return misfit("The table and its scales do not have whole rows of this width.");
    return 0;
}

/* out += the sum of weights[n] · table[rows[n]]. */
FAST static void sum_floats(float *out, const float *table, const int64_t *rows, const float *weights, Py_ssize_t count,
                            Py_ssize_t width)
{
    add_floats(out, table, rows, weights, count, width);
}

/* The same for bytes, by their addresses. Four rows at a time: what is added up is then read and written a quarter as often. */
FAST static void sum_bytes(float *restrict out, const int8_t *const *rows, const float *weights, Py_ssize_t count,
                           Py_ssize_t width)
{
    Py_ssize_t n = 0;
    for (; n + 4 <= count; n += 4) {
        const int8_t *restrict a = rows[n], *restrict b = rows[n + 1], *restrict c = rows[n + 2],
                   *restrict d = rows[n + 3];
        float first = weights[n], second = weights[n + 1], third = weights[n + 2], fourth = weights[n + 3];
        for (Py_ssize_t i = 0; i < width; i++)
            out[i] += (first * (float)a[i] + second * (float)b[i]) + (third * (float)c[i] + fourth * (float)d[i]);
    }
    for (; n < count; n++) {
        const int8_t *restrict row = rows[n];
        float weight = weights[n];
        for (Py_ssize_t i = 0; i < width; i++)
            out[i] += weight * (float)row[i];
    }
}

/* out += the sum of weight · row over at most BLOCK rows. Reference: StoredMatrix.floats. */
static void sum_block(float *out, const Table *table, const int64_t *rows, const float *weights, Py_ssize_t count)
{
    const int8_t *at[BLOCK];
    float weight[BLOCK];
    if (table->scales == NULL) {
        sum_floats(out, table->values, rows, weights, count, table->width);
        return;
    }
    for (Py_ssize_t n = 0; n < count; n++) {
        at[n] = (const int8_t *)table->values + rows[n] * table->width;
        PREFETCH(at[n]);
        PREFETCH(at[n] + table->width / 2);
        weight[n] = weights[n] * table->scales[rows[n]];
    }
    sum_bytes(out, at, weight, count, table->width);
}

static int all_below(const Arrays *arrays, int which, Py_ssize_t limit)
{
    const int64_t *rows = arrays->buffers[which].buf;
    for (Py_ssize_t i = 0; i < array_items(arrays, which, 8); i++)
        if (rows[i] < 0 || rows[i] >= limit)
            return 0;
    return 1;
}

static PyObject *no_such_rows(Arrays *arrays)
{
    PyErr_SetString(PyExc_IndexError, "The rows do not fit the table or the words.");
    arrays_release(arrays);
    return NULL;
}

/* mean_rows((out, rows, lengths, values, scales), width): the mean of each word's rows of a table. Reference:
 * BagPass.__call__ in models/forward/bag.py, before `of_means`. */
PyObject *kernel_mean_rows(PyObject *module, PyObject *args)
{
    PyObject *tuple;
    Py_ssize_t width, total = 0;
    Arrays arrays;
    Table table;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!n", &PyTuple_Type, &tuple, &width) || arrays_hold(&arrays, tuple, 5, 0) < 0)
        return NULL;
    if (table_read(&arrays, 3, width, &table) < 0) {
        arrays_release(&arrays);
        return NULL;
    }
    float *sums = arrays.buffers[0].buf, ones[BLOCK];
    const int64_t *row = arrays.buffers[1].buf, *count = arrays.buffers[2].buf;
    Py_ssize_t rows = array_items(&arrays, 1, 8), words = array_items(&arrays, 2, 8);
    for (Py_ssize_t i = 0; i < words; i++) {
        if (count[i] < 1 || count[i] > rows - total)
            return no_such_rows(&arrays);
        total += (Py_ssize_t)count[i];
    }
    if (total != rows || array_items(&arrays, 0, 4) != words * width || !all_below(&arrays, 1, table.rows))
        return no_such_rows(&arrays);
    for (int i = 0; i < BLOCK; i++)
        ones[i] = 1;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < words; i++, sums += width) {
        memset(sums, 0, (size_t)width * sizeof *sums);
        for (int64_t left = count[i]; left > 0; left -= BLOCK) {
            Py_ssize_t some = left < BLOCK ? (Py_ssize_t)left : BLOCK;
            sum_block(sums, &table, row, ones, some);
            row += some;
        }
        for (Py_ssize_t j = 0; j < width; j++)
            sums[j] /= (float)count[i];
    }
    Py_END_ALLOW_THREADS
    arrays_release(&arrays);
    Py_RETURN_NONE;
}

/* out += vector @ table, without zeros of the vector. */
static void add_product(float *out, const float *vector, const Table *table)
{
    int64_t rows[BLOCK];
    float weights[BLOCK];
    Py_ssize_t some = 0;
    for (Py_ssize_t i = 0; i < table->rows; i++) {
        rows[some] = i;
        weights[some] = vector[i];
        some += weights[some] != 0;
        if (some == BLOCK || i == table->rows - 1) {
            sum_block(out, table, rows, weights, some);
            some = 0;
        }
    }
}

/* add_product((out, vectors, values, scales), width): out += vectors @ table, for vectors of many zeros. Reference: the
 * products in models/forward/bag.py. */
PyObject *kernel_add_product(PyObject *module, PyObject *args)
{
    PyObject *tuple;
    Py_ssize_t width;
    Arrays arrays;
    Table table;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!n", &PyTuple_Type, &tuple, &width) || arrays_hold(&arrays, tuple, 4, 0) < 0)
        return NULL;
    float *out = arrays.buffers[0].buf;
    const float *vectors = arrays.buffers[1].buf;
    Py_ssize_t count = width > 0 ? array_items(&arrays, 0, 4) / width : 0;
    if (table_read(&arrays, 2, width, &table) < 0 ||
        ((array_items(&arrays, 1, 4) != count * table.rows || array_items(&arrays, 0, 4) != count * width) &&
         misfit("The vectors do not fit the table.") < 0)) {
        arrays_release(&arrays);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < count; i++)
        add_product(out + i * width, vectors + i * table.rows, &table);
    Py_END_ALLOW_THREADS
    arrays_release(&arrays);
    Py_RETURN_NONE;
}

/* two_layers((out, vector, bias, inner, its scales, outer, its scales, straight, its scales)): out +=
 * max(vector @ inner + bias, 0) @ outer + vector @ straight. Reference: DeepAveragingPass.of_means. */
PyObject *kernel_two_layers(PyObject *module, PyObject *args)
{
    PyObject *tuple, *result = NULL;
    Arrays arrays;
    Table inner, outer, straight;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &tuple) || arrays_hold(&arrays, tuple, 9, 0) < 0)
        return NULL;
    Py_ssize_t dim = array_items(&arrays, 0, 4), width = array_items(&arrays, 1, 4), middle = array_items(&arrays, 2, 4);
    float *out = arrays.buffers[0].buf, *hidden = malloc((size_t)(middle + 1) * sizeof *hidden);
    const float *vector = arrays.buffers[1].buf;
    if (hidden == NULL)
        PyErr_NoMemory();
    else if (table_read(&arrays, 3, middle, &inner) == 0 && table_read(&arrays, 5, dim, &outer) == 0 &&
             table_read(&arrays, 7, dim, &straight) == 0) {
        if (inner.rows != width || straight.rows != width || outer.rows != middle)
            misfit("The layers do not fit together.");
        else {
            Py_BEGIN_ALLOW_THREADS
            memcpy(hidden, arrays.buffers[2].buf, (size_t)middle * sizeof *hidden);
            add_product(hidden, vector, &inner);
            for (Py_ssize_t i = 0; i < middle; i++)
                hidden[i] = hidden[i] > 0 ? hidden[i] : 0;
            add_product(out, hidden, &outer);
            add_product(out, vector, &straight);
            Py_END_ALLOW_THREADS
            result = Py_NewRef(Py_None);
        }
    }
    free(hidden);
    arrays_release(&arrays);
    return result;
}

/* Return the sum of squares of a row, in double: squares of small and large floats are no floats. */
INLINE double square_of(const float *row, Py_ssize_t width)
{
    double sums[4] = {0};
    Py_ssize_t i = 0;
    for (; i + 4 <= width; i += 4)
        for (int j = 0; j < 4; j++)
            sums[j] += (double)row[i + j] * row[i + j];
    for (; i < width; i++)
        sums[0] += (double)row[i] * row[i];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* out += weight · row / length of the row; a zero row adds nothing. Reference: rows_of_length in vectors/neighbours.py. */
FAST void add_direction(float *restrict out, const float *restrict row, float weight, Py_ssize_t width)
{
    double square = square_of(row, width), share = square > 0 ? weight / sqrt(square) : 0;
    for (Py_ssize_t i = 0; i < width; i++)
        out[i] += (float)(share * row[i]);
}

/* The same for a row of int8. */
FAST static void add_direction_of_bytes(float *restrict out, const int8_t *restrict row, float weight, Py_ssize_t width)
{
    int64_t square = 0;
    for (Py_ssize_t i = 0; i < width; i++)
        square += row[i] * row[i];
    float share = square ? (float)(weight / sqrt((double)square)) : 0;
    for (Py_ssize_t i = 0; i < width; i++)
        out[i] += share * (float)row[i];
}

/* add_rows((out, words, rows, weights, values, scales), least, width): add each row that weighs as much as `least`, scaled
 * to length 1 and weighed, to the vector of its word. Reference: Blender._weighted_mean in models/blend/blender.py. */
PyObject *kernel_add_rows(PyObject *module, PyObject *args)
{
    PyObject *tuple;
    Py_ssize_t width;
    float least;
    Arrays arrays;
    Table table;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!fn", &PyTuple_Type, &tuple, &least, &width) || arrays_hold(&arrays, tuple, 6, 0) < 0)
        return NULL;
    if (table_read(&arrays, 4, width, &table) < 0) {
        arrays_release(&arrays);
        return NULL;
    }
    const int64_t *word = arrays.buffers[1].buf, *row = arrays.buffers[2].buf;
    const float *weight = arrays.buffers[3].buf;
    Py_ssize_t pairs = array_items(&arrays, 2, 8);
    if (array_items(&arrays, 1, 8) != pairs || array_items(&arrays, 3, 4) != pairs ||
        !all_below(&arrays, 1, array_items(&arrays, 0, 4) / width) || !all_below(&arrays, 2, table.rows))
        return no_such_rows(&arrays);
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < pairs; i++) {
        float *out = (float *)arrays.buffers[0].buf + word[i] * width;
        float sign = table.scales == NULL || table.scales[row[i]] > 0 ? 1 : table.scales[row[i]] < 0 ? -1 : 0;
        if (weight[i] < least)
            continue;
        if (table.scales == NULL)
            add_direction(out, (const float *)table.values + row[i] * width, weight[i], width);
        else /* of the scale only the sign is left */
            add_direction_of_bytes(out, (const int8_t *)table.values + row[i] * width, sign * weight[i], width);
    }
    Py_END_ALLOW_THREADS
    arrays_release(&arrays);
    Py_RETURN_NONE;
}

/* Scale a row of floats to a length; a zero row stays zero. */
FAST static void scale_row(float *row, Py_ssize_t width, double length)
{
    double square = square_of(row, width), share = square > 0 ? length / sqrt(square) : 0;
    if (share > 1e-30 && share < 1e30)
        for (Py_ssize_t i = 0; i < width; i++)
            row[i] *= (float)share;
    else
        for (Py_ssize_t i = 0; i < width; i++)
            row[i] = (float)(share * row[i]);
}

/* scale_rows((matrix,), width, length). Reference: rows_of_length in vectors/neighbours.py. */
PyObject *kernel_scale_rows(PyObject *module, PyObject *args)
{
    PyObject *tuple;
    Py_ssize_t width;
    double length;
    Arrays arrays;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!nd", &PyTuple_Type, &tuple, &width, &length) || arrays_hold(&arrays, tuple, 1, 0) < 0)
        return NULL;
    Py_ssize_t rows = width > 0 ? array_items(&arrays, 0, 4) / width : 0;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < rows; i++)
        scale_row((float *)arrays.buffers[0].buf + i * width, width, length);
    Py_END_ALLOW_THREADS
    arrays_release(&arrays);
    Py_RETURN_NONE;
}
