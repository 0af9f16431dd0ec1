/* From a word to its row. Reference: models/word_index.py. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#define MODULUS 0xD6E8FEB8660BULL
#define MULTIPLIER 0x9E3779B97F4A7C15ULL
#define LINE_END 10
#define NOT_FOUND (-1)

typedef struct {
    const uint8_t *text;
    const uint32_t *ends, *keys, *rows;
    Py_ssize_t count;
} Index;

/* Write a word as UTF-8, lone surrogates like any other character; return its length, at most four bytes a letter. */
static Py_ssize_t as_utf8(const Py_UCS4 *letters, Py_ssize_t length, uint8_t *out)
{
    uint8_t *start = out;
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_UCS4 point = letters[i];
        if (point < 0x80) {
            *out++ = (uint8_t)point;
            continue;
        }
        if (point < 0x800)
            *out++ = (uint8_t)(0xC0 | point >> 6);
        else {
            if (point < 0x10000)
                *out++ = (uint8_t)(0xE0 | point >> 12);
            else {
                *out++ = (uint8_t)(0xF0 | point >> 18);
                *out++ = (uint8_t)(0x80 | (point >> 12 & 0x3F));
            }
            *out++ = (uint8_t)(0x80 | (point >> 6 & 0x3F));
        }
        *out++ = (uint8_t)(0x80 | (point & 0x3F));
    }
    return out - start;
}

/* Reference: word_key. */
static uint32_t word_key(const uint8_t *bytes, Py_ssize_t length)
{
    uint64_t value = 0; /* below 2^48, so two more bytes fit */
    if (length % 2)
        value = bytes[--length];
    for (; length; length -= 2)
        value = (value << 16 | (uint64_t)bytes[length - 1] << 8 | bytes[length - 2]) % MODULUS;
    return (uint32_t)(value * MULTIPLIER >> 32);
}

/* Return the row of a word, or NOT_FOUND. Reference: WordIndex._row. */
static int64_t row_of(const Index *index, const uint8_t *bytes, Py_ssize_t length)
{
    uint32_t key = word_key(bytes, length);
    /* Keys are spread evenly, so that the place of one is known within a few hundred. */
    Py_ssize_t low = (Py_ssize_t)(((uint64_t)key * (uint64_t)index->count) >> 32), high = low, step = 256;
    while (low > 0 && index->keys[low - 1] >= key)
        low = low > step ? low - step : 0, step *= 2;
    for (step = 256; high < index->count && index->keys[high] < key; step *= 2)
        high = index->count - high > step ? high + step : index->count;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (index->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < index->count && index->keys[low] == key; low++) {
        uint32_t row = index->rows[low];
        if (row >= index->count)
            continue;
        Py_ssize_t begin = row ? (Py_ssize_t)index->ends[row - 1] + 1 : 0, end = (Py_ssize_t)index->ends[row];
        if (end - begin == length && memcmp(index->text + begin, bytes, (size_t)length) == 0)
            return row;
    }
    return NOT_FOUND;
}

/* Point into arrays and return 0 if they fit together, or -1 with ValueError. */
static int index_read(const Arrays *arrays, Index *index)
{
    index->text = arrays->buffers[0].buf;
    index->ends = arrays->buffers[1].buf;
    index->keys = arrays->buffers[2].buf;
    index->rows = arrays->buffers[3].buf;
    index->count = array_items(arrays, 2, 4);
    if (array_items(arrays, 1, 4) != index->count || array_items(arrays, 3, 4) != index->count ||
        (index->count && (Py_ssize_t)index->ends[index->count - 1] > arrays->buffers[0].len))
        return misfit("The index does not fit the words.");
    return 0;
}

/* word_row(word, (text, ends, keys, rows)) -> int. Reference: WordIndex._row. */
PyObject *kernel_word_row(PyObject *module, PyObject *args)
{
    PyObject *word, *tuple, *result = NULL;
    Py_UCS4 few[64], *letters = few;
    uint8_t few_bytes[4 * 64], *encoded = few_bytes;
    Arrays arrays;
    Index index;
    (void)module;
    if (!PyArg_ParseTuple(args, "UO!", &word, &PyTuple_Type, &tuple) || arrays_hold(&arrays, tuple, 4, -1) < 0)
        return NULL;
    Py_ssize_t length = PyUnicode_GetLength(word);
    if (length > 64) {
        letters = malloc((size_t)length * sizeof *letters);
        encoded = malloc((size_t)length * 4);
    }
    if (letters == NULL || encoded == NULL)
        PyErr_NoMemory();
    else if (index_read(&arrays, &index) == 0 && (!length || PyUnicode_AsUCS4(word, letters, length, 0)))
        result = PyLong_FromLongLong(row_of(&index, encoded, as_utf8(letters, length, encoded)));
    if (length > 64) {
        free(letters);
        free(encoded);
    }
    arrays_release(&arrays);
    return result;
}

/* word_rows(words, (text, ends, keys, rows)) -> bytearray of int64. Reference: WordIndex.rows_of. */
PyObject *kernel_word_rows(PyObject *module, PyObject *args)
{
    PyObject *list, *tuple, *result = NULL;
    Arrays arrays;
    Words words;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &list, &PyTuple_Type, &tuple) ||
        arrays_hold(&arrays, tuple, 4, -1) < 0)
        return NULL;
    Index index;
    if (index_read(&arrays, &index) < 0 || words_read(list, &words) < 0)
        goto release;
    uint8_t *encoded = malloc((size_t)(words_longest(&words) * 4 + 1));
    result = encoded != NULL ? PyByteArray_FromStringAndSize(NULL, words.count * 8) : PyErr_NoMemory();
    if (result != NULL) {
        int64_t *out = (int64_t *)PyByteArray_AsString(result);
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = 0; i < words.count; i++) {
            Py_ssize_t length = words.starts[i + 1] - words.starts[i];
            out[i] = row_of(&index, encoded, as_utf8(words.letters + words.starts[i], length, encoded));
        }
        Py_END_ALLOW_THREADS
    }
    free(encoded);
    words_free(&words);
release:
    arrays_release(&arrays);
    return result;
}
