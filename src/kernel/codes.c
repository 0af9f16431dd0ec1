/* Rows of product-quantised matrices. Reference: models/quantised.py. */
#include "kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PIECES 256
#define LEVELS 4
#define BOOKS 2

/* Rows with the same number of bytes, and the pieces that these choose from. */
typedef struct {
    Py_buffer codes, books[BOOKS];
    Py_ssize_t rows, bytes, counts[BOOKS], numbers[BOOKS];
} Level;

typedef struct {
    Level levels[LEVELS];
    int count;
    Py_ssize_t rows, width;
} Coded;

static void coded_release(Coded *coded)
{
    for (int i = 0; i < coded->count; i++) {
        PyBuffer_Release(&coded->levels[i].codes);
        PyBuffer_Release(&coded->levels[i].books[0]);
        PyBuffer_Release(&coded->levels[i].books[1]);
    }
}

/* Read levels, tuples of (codes, first codebook, numbers in its pieces, second codebook, numbers); return 0 or -1. */
static int coded_read(PyObject *levels, Coded *coded)
{
    Py_ssize_t count = PyTuple_Size(levels);
    memset(coded, 0, sizeof *coded);
    for (; coded->count < count && coded->count < LEVELS; coded->count++) {
        Level *level = &coded->levels[coded->count];
        if (!PyArg_ParseTuple(PyTuple_GetItem(levels, coded->count), "y*y*ny*n", &level->codes, &level->books[0],
                              &level->numbers[0], &level->books[1], &level->numbers[1])) {
            coded_release(coded);
            return -1;
        }
        Py_ssize_t width = 0;
        for (int b = 0; b < BOOKS; b++) {
            if (level->numbers[b] > 0)
                level->counts[b] = level->books[b].len / (PIECES * 4) / level->numbers[b];
            level->bytes += level->counts[b];
            width += level->counts[b] * level->numbers[b];
        }
        level->rows = level->bytes ? level->codes.len / level->bytes : 0;
        coded->rows += level->rows;
        if (coded->count == 0)
            coded->width = width;
        if (!level->rows || level->rows * level->bytes != level->codes.len || width != coded->width)
            count = -1;
    }
    if (count < 1 || count > LEVELS) {
        coded_release(coded);
        PyErr_SetString(PyExc_ValueError, "The levels of the matrix do not fit together.");
        return -1;
    }
    return 0;
}

/* Join the pieces of a row. Reference: Level.decoded. */
static void decode(const Coded *coded, int64_t row, float *out)
{
    const Level *level = coded->levels;
    while (row >= level->rows)
        row -= level++->rows;
    const uint8_t *code = (const uint8_t *)level->codes.buf + row * level->bytes;
    for (int b = 0; b < BOOKS; b++) {
        const float *book = level->books[b].buf;
        Py_ssize_t count = level->counts[b], numbers = level->numbers[b];
        if (numbers == 4) /* so that each piece is moved as a whole */
            for (Py_ssize_t i = 0; i < count; i++, out += 4)
                memcpy(out, book + (i * PIECES + *code++) * 4, 16);
        else if (numbers == 2)
            for (Py_ssize_t i = 0; i < count; i++, out += 2)
                memcpy(out, book + (i * PIECES + *code++) * 2, 8);
        else
            for (Py_ssize_t i = 0; i < count; i++, out += numbers)
                memcpy(out, book + (i * PIECES + *code++) * numbers, (size_t)numbers * 4);
    }
}

static int rows_fit(const Coded *coded, const Py_buffer *rows)
{
    const int64_t *row = rows->buf;
    for (Py_ssize_t i = 0; i < rows->len / 8; i++)
        if (row[i] < 0 || row[i] >= coded->rows) {
            PyErr_SetString(PyExc_IndexError, "The matrix does not have such a row.");
            return 0;
        }
    return 1;
}

/* decode_rows(levels, rows, out). Reference: QuantisedMatrix._decoded. */
PyObject *kernel_decode_rows(PyObject *module, PyObject *args)
{
    PyObject *levels, *result = NULL;
    Py_buffer rows, out;
    Coded coded;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!y*w*", &PyTuple_Type, &levels, &rows, &out))
        return NULL;
    if (coded_read(levels, &coded) < 0)
        goto done;
    Py_ssize_t count = rows.len / 8;
    if (out.len != count * coded.width * 4)
        PyErr_SetString(PyExc_ValueError, "The array for the rows is of another size.");
    else if (rows_fit(&coded, &rows)) {
        const int64_t *row = rows.buf;
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = 0; i < count; i++)
            decode(&coded, row[i], (float *)out.buf + i * coded.width);
        Py_END_ALLOW_THREADS
        result = Py_NewRef(Py_None);
    }
    coded_release(&coded);
done:
    PyBuffer_Release(&rows);
    PyBuffer_Release(&out);
    return result;
}

/* out += weight · row / its length; a zero row adds nothing. */
FAST static void add_direction(float *restrict out, const float *restrict row, float weight, Py_ssize_t width)
{
    double square = 0;
    for (Py_ssize_t i = 0; i < width; i++)
        square += (double)row[i] * row[i];
    double share = square > 0 ? weight / sqrt(square) : 0;
    for (Py_ssize_t i = 0; i < width; i++)
        out[i] += (float)(share * row[i]);
}

/* add_coded(levels, words, rows, weights, out): add each weighed row, scaled to length 1, to the vector of its word.
 * Reference: Blender._weighted_mean in models/blend/blender.py. */
PyObject *kernel_add_coded(PyObject *module, PyObject *args)
{
    PyObject *levels, *result = NULL;
    Py_buffer words, rows, weights, out;
    Coded coded;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!y*y*y*w*", &PyTuple_Type, &levels, &words, &rows, &weights, &out))
        return NULL;
    if (coded_read(levels, &coded) < 0)
        goto done;
    Py_ssize_t pairs = rows.len / 8, vectors = out.len / 4 / coded.width;
    const int64_t *word = words.buf, *row = rows.buf;
    float *decoded = malloc((size_t)coded.width * sizeof *decoded);
    if (decoded == NULL) {
        PyErr_NoMemory();
        goto release;
    }
    if (words.len != rows.len || weights.len != pairs * 4 || !rows_fit(&coded, &rows))
        goto misfit;
    for (Py_ssize_t i = 0; i < pairs; i++)
        if (word[i] < 0 || word[i] >= vectors)
            goto misfit;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < pairs; i++) {
        decode(&coded, row[i], decoded);
        add_direction((float *)out.buf + word[i] * coded.width, decoded, ((const float *)weights.buf)[i], coded.width);
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
misfit:
    if (result == NULL && !PyErr_Occurred())
        PyErr_SetString(PyExc_IndexError, "The rows do not fit the words.");
release:
    free(decoded);
    coded_release(&coded);
done:
    PyBuffer_Release(&words);
    PyBuffer_Release(&rows);
    PyBuffer_Release(&weights);
    PyBuffer_Release(&out);
    return result;
}
