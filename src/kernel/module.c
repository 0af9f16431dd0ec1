/* The module everyword._kernel: its list of functions, and how words and tables come in. */
#include "kernel.h"

#include <stdlib.h>

#define INTERFACE 2 /* everyword/kernel.py expects this number; change both when arguments change */

/* Copy the letters of a list of texts; return 0, or -1 with an exception. Reference: `code_points` in
 * models/retrieval/spellings.py. */
int words_read(PyObject *list, Words *words)
{
    words->letters = NULL;
    words->starts = NULL;
    words->count = PyList_Size(list);
    if (words->count < 0)
        return -1;
    words->starts = malloc((size_t)(words->count + 1) * sizeof *words->starts);
    if (words->starts == NULL)
        goto no_memory;
    words->starts[0] = 0;
    for (Py_ssize_t i = 0; i < words->count; i++) {
        Py_ssize_t length = PyUnicode_GetLength(PyList_GetItem(list, i));
        if (length < 0)
            goto failed;
        words->starts[i + 1] = words->starts[i] + length;
    }
    words->letters = malloc((size_t)(words->starts[words->count] + 1) * sizeof *words->letters);
    if (words->letters == NULL)
        goto no_memory;
    for (Py_ssize_t i = 0; i < words->count; i++) {
        Py_ssize_t length = words->starts[i + 1] - words->starts[i];
        if (PyUnicode_AsUCS4(PyList_GetItem(list, i), words->letters + words->starts[i], length, 0) == NULL && length)
            goto failed;
    }
    return 0;
no_memory:
    PyErr_NoMemory();
failed:
    words_free(words);
    return -1;
}

void words_free(Words *words)
{
    free(words->letters);
    free(words->starts);
    words->letters = NULL;
    words->starts = NULL;
}

/* Return the length of the longest word. */
Py_ssize_t words_widest(const Words *words)
{
    Py_ssize_t widest = 0;
    for (Py_ssize_t i = 0; i < words->count; i++)
        if (words->starts[i + 1] - words->starts[i] > widest)
            widest = words->starts[i + 1] - words->starts[i];
    return widest;
}

/* Return how many bytes a row of some numbers takes. */
size_t table_row_bytes(int kind, Py_ssize_t width)
{
    return (size_t)(kind == 'f' ? 4 * width : kind == 'b' ? width : (width + 1) / 2);
}

/* Describe the bytes of a matrix; return 0, or -1 with ValueError if they are not whole rows. */
int table_of(Table *table, const Py_buffer *values, const Py_buffer *scales, Py_ssize_t width, int kind)
{
    Py_ssize_t row = (Py_ssize_t)table_row_bytes(kind, width);
    table->values = values->buf;
    table->scales = kind == 'f' ? NULL : scales->buf;
    table->width = width;
    table->kind = (char)kind;
    table->rows = row > 0 ? values->len / row : 0;
    if (row <= 0 || values->len != table->rows * row || (kind != 'f' && scales->len != table->rows * 4)) {
        PyErr_SetString(PyExc_ValueError, "The table and its scales do not have whole rows of this width.");
        return -1;
    }
    return 0;
}

static PyMethodDef functions[] = {
    {"ngram_rows", kernel_ngram_rows, METH_VARARGS, "The rows of the listed n-grams of words."},
    {"mean_rows", kernel_mean_rows, METH_VARARGS, "The means of some rows of a table for each word."},
    {"times_table", kernel_times_table, METH_VARARGS, "Add the product of a vector and a table."},
    {"add_rows", kernel_add_rows, METH_VARARGS, "Add rows of a table, each scaled to length 1 and weighed."},
    {"scale_rows", kernel_scale_rows, METH_VARARGS, "Scale rows of floats to one length."},
    {"decode_rows", kernel_decode_rows, METH_VARARGS, "Rows of a quantised matrix as floats, of whatever length."},
    {"add_coded", kernel_add_coded, METH_VARARGS, "Add rows of a quantised matrix, scaled to length 1 and weighed."},
    {"word_rows", kernel_word_rows, METH_VARARGS, "The rows of listed words."},
    {"read_words", kernel_read_words, METH_VARARGS, "Known words of similar spelling or sound, and their shares."},
    {"find_candidates", kernel_find_candidates, METH_VARARGS, "Known words that words may be meant for."},
    {NULL, NULL, 0, NULL},
};

static int fill(PyObject *module)
{
    return PyModule_AddIntConstant(module, "INTERFACE", INTERFACE);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)fill},
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "everyword._kernel", "Compiled twins of the slowest functions.", 0, functions, slots,
    NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModuleDef_Init(&definition);
}
