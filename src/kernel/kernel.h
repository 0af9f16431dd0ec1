/* What the files of the compiled kernel share. Every function names the Python function that is its reference: that one
 * says what is right, and tests compare the two. */
#ifndef EVERYWORD_KERNEL_H
#define EVERYWORD_KERNEL_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

/* One clone for processors with AVX2 and one for all others, chosen when the module is loaded. It needs glibc. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && !defined(KERNEL_ONE_TARGET)
#if __GNUC__ >= 12
#define FAST __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define FAST __attribute__((target_clones("avx2", "default")))
#endif
#else
#define FAST
#endif

#if defined(__GNUC__) || defined(__clang__)
#define PREFETCH(address) __builtin_prefetch(address)
#define INLINE static inline __attribute__((always_inline)) /* so that it is compiled for the clones of its callers */
#else
#define PREFETCH(address) ((void)0)
#define INLINE static inline
#endif

/* The code points of many words one after the other; word i has letters[starts[i]] to letters[starts[i + 1]]. */
typedef struct {
    Py_ssize_t count;
    Py_UCS4 *letters;
    Py_ssize_t *starts;
} Words;

int words_read(PyObject *list, Words *words);
void words_free(Words *words);
Py_ssize_t words_longest(const Words *words);

/* The bytes of NumPy arrays that a call works on. */
#define MOST_ARRAYS 24
typedef struct {
    Py_buffer buffers[MOST_ARRAYS];
    int count;
} Arrays;

int arrays_hold(Arrays *arrays, PyObject *tuple, int least, int writable);
void arrays_release(Arrays *arrays);
Py_ssize_t array_items(const Arrays *arrays, int which, size_t item);
int misfit(const char *what);

PyObject *kernel_ngram_rows(PyObject *module, PyObject *args);
PyObject *kernel_mean_rows(PyObject *module, PyObject *args);
PyObject *kernel_add_product(PyObject *module, PyObject *args);
PyObject *kernel_two_layers(PyObject *module, PyObject *args);
PyObject *kernel_add_rows(PyObject *module, PyObject *args);
PyObject *kernel_scale_rows(PyObject *module, PyObject *args);
PyObject *kernel_decode_rows(PyObject *module, PyObject *args);
PyObject *kernel_add_coded(PyObject *module, PyObject *args);
PyObject *kernel_word_rows(PyObject *module, PyObject *args);
PyObject *kernel_word_row(PyObject *module, PyObject *args);
PyObject *kernel_read_words(PyObject *module, PyObject *args);
PyObject *kernel_mark_letters(PyObject *module, PyObject *args);

#endif
