/* The module everyword._kernel: its list of functions, and how words and arrays come in. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#define INTERFACE 8 /* everyword/kernel.py expects this number; change both when arguments change */

/* Copy the letters of a list of texts; return 0, or -1 with an exception. Reference: `code_points` in
 * models/retrieval/spellings.py. */
int words_read(PyObject *list, Words *words)
{
    words->letters = NULL;
    words->count = PyList_Size(list);
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
        if (length && !PyUnicode_AsUCS4(PyList_GetItem(list, i), words->letters + words->starts[i], length, 0))
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
}

/* Return the length of the longest word. */
Py_ssize_t words_longest(const Words *words)
{
    Py_ssize_t longest = 0;
    for (Py_ssize_t i = 0; i < words->count; i++)
        if (words->starts[i + 1] - words->starts[i] > longest)
            longest = words->starts[i + 1] - words->starts[i];
    return longest;
}

/* Take hold of the arrays of a tuple, at least so many; that with the index `writable`, if not -1, will be written to.
 * Return 0, or -1 with an exception. */
int arrays_hold(Arrays *arrays, PyObject *tuple, int least, int writable)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    memset(arrays, 0, sizeof *arrays);
    if (count < least || count > MOST_ARRAYS)
        return misfit("The kernel was given another number of arrays than it takes.");
    for (; arrays->count < count; arrays->count++) {
        int flags = arrays->count == writable ? PyBUF_WRITABLE : PyBUF_SIMPLE;
        if (PyObject_GetBuffer(PyTuple_GetItem(tuple, arrays->count), &arrays->buffers[arrays->count], flags) < 0) {
            arrays_release(arrays);
            return -1;
        }
    }
    return 0;
}

void arrays_release(Arrays *arrays)
{
    while (arrays->count)
        PyBuffer_Release(&arrays->buffers[--arrays->count]);
}

/* Return how many items of a size an array holds. */
Py_ssize_t array_items(const Arrays *arrays, int which, size_t item)
{
    return arrays->buffers[which].len / (Py_ssize_t)item;
}

/* Raise ValueError and return -1. */
int misfit(const char *what)
{
    PyErr_SetString(PyExc_ValueError, what);
    return -1;
}

static PyMethodDef functions[] = {
    {"ngram_rows", kernel_ngram_rows, METH_VARARGS, "The rows of the listed n-grams of words."},
    {"mean_rows", kernel_mean_rows, METH_VARARGS, "The means of some rows of a table for each word."},
    {"add_product", kernel_add_product, METH_VARARGS, "Add the product of a vector and a table."},
    {"two_layers", kernel_two_layers, METH_VARARGS, "Two dense layers of one vector."},
    {"add_rows", kernel_add_rows, METH_VARARGS, "Add rows of a table, each scaled to length 1 and weighed."},
    {"scale_rows", kernel_scale_rows, METH_VARARGS, "Scale rows of floats to one length."},
    {"decode_rows", kernel_decode_rows, METH_VARARGS, "Rows of a quantised matrix as floats, of whatever length."},
    {"add_coded", kernel_add_coded, METH_VARARGS, "Add rows of a quantised matrix, scaled to length 1 and weighed."},
    {"word_rows", kernel_word_rows, METH_VARARGS, "The rows of listed words."},
    {"word_row", kernel_word_row, METH_VARARGS, "The row of one word."},
    {"read_words", kernel_read_words, METH_VARARGS, "Known words of similar spelling or sound, and their shares."},
    {"mark_letters", kernel_mark_letters, METH_VARARGS, "Fill in what packed words have besides their letters."},
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
