/* Rows of product-quantised matrices. Reference: vectors/storage/quantised.py. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#define PIECES 256
#define LEVELS 4
#define BOOKS 2
#define ARRAYS_OF_LEVEL 3
#define AHEAD 16 /* pairs after which the codes that are asked for now are decoded */

/* Rows with the same number of bytes, and the pieces that these choose from. */
typedef struct {
    const uint8_t *codes;
    const float *books[BOOKS];
    Py_ssize_t rows, bytes, counts[BOOKS], numbers[BOOKS];
} Level;

typedef struct {
    Level levels[LEVELS];
    Py_ssize_t rows, width;
} Coded;

void add_direction(float *restrict out, const float *restrict row, float weight, Py_ssize_t width);

/* Read levels from the last arrays, three for each level: codes and two codebooks, of which the second may be empty. How
 * many numbers their pieces have stands in an array of int64, two for each level. Return 0 or -1. */
static int coded_read(const Arrays *arrays, int numbers, Coded *coded)
{
    int first = numbers + 1, count = (arrays->count - first) / ARRAYS_OF_LEVEL;
    const int64_t *lengths = arrays->buffers[numbers].buf;
    memset(coded, 0, sizeof *coded);
    if (count < 1 || count > LEVELS || arrays->count != first + ARRAYS_OF_LEVEL * count ||
        array_items(arrays, numbers, 8) != BOOKS * count)
        return misfit("The matrix has another number of levels than the kernel takes.");
    for (int i = 0; i < count; i++) {
        const Py_buffer *buffers = arrays->buffers + first + ARRAYS_OF_LEVEL * i;
        Level *level = &coded->levels[i];
        Py_ssize_t width = 0;
        level->codes = buffers[0].buf;
        for (int b = 0; b < BOOKS; b++) {
            level->books[b] = buffers[1 + b].buf;
            level->numbers[b] = (Py_ssize_t)lengths[BOOKS * i + b];
            if (level->numbers[b] > 0)
                level->counts[b] = buffers[1 + b].len / (PIECES * 4) / level->numbers[b];
            level->bytes += level->counts[b];
            width += level->counts[b] * level->numbers[b];
        }
        level->rows = level->bytes ? buffers[0].len / level->bytes : 0;
        coded->rows += level->rows;
        coded->width = i ? coded->width : width;
        if (!level->rows || level->rows * level->bytes != buffers[0].len || width != coded->width)
            return misfit("The levels of the matrix do not fit together.");
    }
    return 0;
}

/* Ask the memory for the codes of a row. */
static void ask_for(const Coded *coded, int64_t row)
{
    const Level *level = coded->levels;
    while (row >= level->rows)
        row -= level++->rows;
    for (Py_ssize_t i = 0; i < level->bytes; i += 64)
        PREFETCH(level->codes + row * level->bytes + i);
}

/* Join the pieces of a row. Reference: Level.decoded. */
static void decode(const Coded *coded, int64_t row, float *out)
{
    const Level *level = coded->levels;
    while (row >= level->rows)
        row -= level++->rows;
    const uint8_t *code = level->codes + row * level->bytes;
    for (int b = 0; b < BOOKS; b++) {
        const float *book = level->books[b];
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

/* Return 0 if all rows are below a limit, or -1 with IndexError. */
static int rows_check(const Arrays *arrays, int which, Py_ssize_t limit)
{
    const int64_t *rows = arrays->buffers[which].buf;
    for (Py_ssize_t i = 0; i < array_items(arrays, which, 8); i++)
        if (rows[i] < 0 || rows[i] >= limit) {
            PyErr_SetString(PyExc_IndexError, "The rows do not fit the matrix or the words.");
            return -1;
        }
    return 0;
}

/* decode_rows((out, rows, numbers, arrays of levels …)). Reference: QuantisedMatrix._decoded. */
PyObject *kernel_decode_rows(PyObject *module, PyObject *args)
{
    PyObject *tuple, *result = NULL;
    Arrays arrays;
    Coded coded;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &tuple) || arrays_hold(&arrays, tuple, 6, 0) < 0)
        return NULL;
    const int64_t *row = arrays.buffers[1].buf;
    Py_ssize_t count = array_items(&arrays, 1, 8);
    if (coded_read(&arrays, 2, &coded) < 0 || rows_check(&arrays, 1, coded.rows) < 0 ||
        (array_items(&arrays, 0, 4) != count * coded.width && misfit("The array for the rows is of another size.") < 0))
        goto release;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < count; i++)
        decode(&coded, row[i], (float *)arrays.buffers[0].buf + i * coded.width);
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
release:
    arrays_release(&arrays);
    return result;
}

/* add_coded((out, words, rows, weights, numbers, arrays of levels …), least): add each row that weighs as much as `least`,
 * scaled to length 1 and weighed, to the vector of its word. Reference: Blender._weighted_mean in models/blend/blender.py. */
PyObject *kernel_add_coded(PyObject *module, PyObject *args)
{
    PyObject *tuple, *result = NULL;
    float *decoded = NULL, least;
    Arrays arrays;
    Coded coded;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!f", &PyTuple_Type, &tuple, &least) || arrays_hold(&arrays, tuple, 8, 0) < 0)
        return NULL;
    const int64_t *word = arrays.buffers[1].buf, *row = arrays.buffers[2].buf;
    const float *weight = arrays.buffers[3].buf;
    Py_ssize_t pairs = array_items(&arrays, 2, 8);
    if (coded_read(&arrays, 4, &coded) < 0 || rows_check(&arrays, 2, coded.rows) < 0 ||
        rows_check(&arrays, 1, array_items(&arrays, 0, 4) / coded.width) < 0 ||
        ((array_items(&arrays, 1, 8) != pairs || array_items(&arrays, 3, 4) != pairs) &&
         misfit("There are not as many words and weights as rows.") < 0))
        goto release;
    decoded = malloc((size_t)coded.width * sizeof *decoded);
    if (decoded == NULL) {
        PyErr_NoMemory();
        goto release;
    }
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < pairs; i++) {
        if (i + AHEAD < pairs && weight[i + AHEAD] >= least)
            ask_for(&coded, row[i + AHEAD]);
        if (weight[i] < least)
            continue;
        decode(&coded, row[i], decoded);
        add_direction((float *)arrays.buffers[0].buf + word[i] * coded.width, decoded, weight[i], coded.width);
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
release:
    free(decoded);
    arrays_release(&arrays);
    return result;
}
