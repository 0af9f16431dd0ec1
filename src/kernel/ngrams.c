/* The n-grams of words. Reference: text/ngram_index.py. */
#include "kernel.h"

#include <stdlib.h>

#define SCATTER 0x9E3779B97F4A7C15ULL
#define PAD 0
#define UNK 1

typedef struct {
    const uint64_t *digits; /* of each code point; the last one stands for all beyond */
    Py_ssize_t points;
    const uint64_t *numbers;
    const int32_t *rows;
    uint64_t base, mask;
    int shift, shortest, longest;
    Py_UCS4 begin, end;
} Index;

static uint64_t digit_of(const Index *index, Py_UCS4 point)
{
    return index->digits[(Py_ssize_t)point < index->points ? (Py_ssize_t)point : index->points - 1];
}

/* Reference: NgramIndex._look_up. */
static int32_t look_up(const Index *index, uint64_t number)
{
    uint64_t slot = (number * SCATTER) >> index->shift;
    while (index->rows[slot] != PAD && index->numbers[slot] != number)
        slot = (slot + 1) & index->mask;
    return index->rows[slot];
}

/* Write the rows of one word, at least one, and return how many. Reference: NgramIndex._block. */
static Py_ssize_t rows_of_word(const Index *index, const Py_UCS4 *letters, Py_ssize_t length, uint64_t *digits,
                               int64_t *out)
{
    Py_ssize_t marked = length + 2, found = 0;
    digits[0] = digit_of(index, index->begin);
    for (Py_ssize_t i = 0; i < length; i++)
        digits[i + 1] = digit_of(index, letters[i]);
    digits[length + 1] = digit_of(index, index->end);
    for (Py_ssize_t start = 0; start < marked; start++) {
        uint64_t number = 1;
        /* A character without a digit is in no listed n-gram. */
        for (int n = 1; n <= index->longest && start + n <= marked && digits[start + n - 1]; n++) {
            number = number * index->base + digits[start + n - 1];
            if (n >= index->shortest) {
                int32_t row = look_up(index, number);
                if (row != PAD)
                    out[found++] = row;
            }
        }
    }
    if (!found)
        out[found++] = UNK;
    return found;
}

/* ngram_rows(words, (digits, numbers, rows), base, shift, shortest, longest, begin, end) -> (rows, lengths), two
 * bytearrays of int64. Reference: NgramIndex.sequences. */
PyObject *kernel_ngram_rows(PyObject *module, PyObject *args)
{
    PyObject *list, *tuple, *result = NULL, *flat = NULL, *lengths = NULL;
    unsigned long long base;
    int shift, shortest, longest, begin, end;
    Arrays arrays;
    Words words;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!Kiiiii", &PyList_Type, &list, &PyTuple_Type, &tuple, &base, &shift, &shortest,
                          &longest, &begin, &end) ||
        arrays_hold(&arrays, tuple, 3, -1) < 0)
        return NULL;
    Py_ssize_t slots = array_items(&arrays, 2, 4);
    if (shift < 33 || shift > 63 || slots != (Py_ssize_t)1 << (64 - shift) || array_items(&arrays, 1, 8) != slots ||
        array_items(&arrays, 0, 8) < 1 || shortest < 1 || longest < shortest) {
        misfit("The tables of n-grams do not fit together.");
        goto release;
    }
    Index index = {
        .digits = arrays.buffers[0].buf, .points = array_items(&arrays, 0, 8), .numbers = arrays.buffers[1].buf,
        .rows = arrays.buffers[2].buf, .base = base, .mask = (uint64_t)slots - 1, .shift = shift,
        .shortest = shortest, .longest = longest, .begin = (Py_UCS4)begin, .end = (Py_UCS4)end,
    };
    if (words_read(list, &words) < 0)
        goto release;
    Py_ssize_t marked = words.starts[words.count] + 2 * words.count, filled = 0;
    uint64_t *scratch = malloc((size_t)(words_longest(&words) + 2) * sizeof *scratch);
    flat = PyByteArray_FromStringAndSize(NULL, marked * (longest - shortest + 1) * 8 + words.count * 8);
    lengths = PyByteArray_FromStringAndSize(NULL, words.count * 8);
    if (scratch == NULL)
        PyErr_NoMemory();
    if (scratch != NULL && flat != NULL && lengths != NULL) {
        int64_t *out = (int64_t *)PyByteArray_AsString(flat), *counts = (int64_t *)PyByteArray_AsString(lengths);
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = 0; i < words.count; i++) {
            Py_ssize_t length = words.starts[i + 1] - words.starts[i];
            counts[i] = rows_of_word(&index, words.letters + words.starts[i], length, scratch, out + filled);
            filled += counts[i];
        }
        Py_END_ALLOW_THREADS
        if (PyByteArray_Resize(flat, filled * 8) == 0)
            result = PyTuple_Pack(2, flat, lengths);
    }
    free(scratch);
    Py_XDECREF(flat);
    Py_XDECREF(lengths);
    words_free(&words);
release:
    arrays_release(&arrays);
    return result;
}
