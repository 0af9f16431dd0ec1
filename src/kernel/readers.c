/* Words in, similar known words and their shares out. Reference: KeyReader in models/blend/readers.py. */
#include "gate.h"

enum { LETTER_OF, SOUND_TABLE, VOWEL_KINDS, CLASS_OF, KNOWN, BEGINS, ENTRIES, FEATURE_TABLE, BIAS, SCORE, FIRST,
       BEGIN, END, FORM_FEATURES, FORM_BIAS, FORM_SCORE, FORM_SCORE_BIAS, BUFFERS };
enum { QUERY, ROW, NTH, LETTERS_LEFT, SOUNDS_LEFT, SHARE, FORM_SHARE, BEST, COLUMNS };

#define STEPS 4 /* of a search */

/* Whether all arrays have the sizes that search and gate rely on. */
static int fits(const Similar *index, const Gate *gate, const Py_buffer *buffers)
{
    Py_ssize_t hidden = gate->hidden, form_hidden = gate->form_hidden, float_size = sizeof(float);
    if (index->points < 1 || buffers[SOUND_TABLE].len != LETTERS * LETTERS * LETTERS * 3 ||
        buffers[VOWEL_KINDS].len != LETTERS || buffers[CLASS_OF].len != LONGEST || index->rows < 1 ||
        buffers[KNOWN].len != index->rows * (Py_ssize_t)sizeof(Known) || index->bucket_bits < 1 ||
        index->bucket_bits > 31 || index->row_bits < 1 || index->row_bits > 31 || index->most < 1 ||
        index->most > MOST_PAIRS || index->rows > (Py_ssize_t)1 << index->row_bits ||
        buffers[BEGINS].len != (((Py_ssize_t)1 << index->bucket_bits) + 1) * 4 ||
        (Py_ssize_t)index->begins[(Py_ssize_t)1 << index->bucket_bits] * 4 != buffers[ENTRIES].len)
        return 0;
    for (int i = FIRST; i <= END; i++)
        if (buffers[i].len != LETTERS * LETTERS * hidden * float_size)
            return 0;
    return hidden > 0 && hidden <= MOST_HIDDEN && form_hidden > 0 &&
           form_hidden <= MOST_HIDDEN && buffers[SCORE].len == buffers[BIAS].len &&
           buffers[FEATURE_TABLE].len == (FEATURES + 2 * (LETTERS - 1)) * hidden * float_size &&
           buffers[FORM_SCORE].len == buffers[FORM_BIAS].len && buffers[FORM_SCORE_BIAS].len == float_size &&
           buffers[FORM_FEATURES].len == (FEATURES + 3) * form_hidden * float_size;
}

static void point_into(Similar *index, Gate *gate, const Py_buffer *buffers)
{
    index->letter_of = buffers[LETTER_OF].buf;
    index->points = buffers[LETTER_OF].len;
    index->sounds = buffers[SOUND_TABLE].buf;
    index->vowels = buffers[VOWEL_KINDS].buf;
    index->classes = buffers[CLASS_OF].buf;
    index->known = buffers[KNOWN].buf;
    index->rows = buffers[KNOWN].len / (Py_ssize_t)sizeof(Known);
    index->begins = buffers[BEGINS].buf;
    index->entries = buffers[ENTRIES].buf;
    gate->features = buffers[FEATURE_TABLE].buf;
    gate->bias = buffers[BIAS].buf;
    gate->hidden = (int)(buffers[BIAS].len / 4);
    gate->score = buffers[SCORE].buf;
    for (int i = 0; i < 3; i++)
        gate->letters[i] = buffers[FIRST + i].buf;
    gate->form_features = buffers[FORM_FEATURES].buf;
    gate->form_bias = buffers[FORM_BIAS].buf;
    gate->form_hidden = (int)(buffers[FORM_BIAS].len / 4);
    gate->form_score = buffers[FORM_SCORE].buf;
}

/* Read all words into columns and return how many pairs there are. Needs no GIL. */
static Py_ssize_t read_all(const Similar *index, const Gate *gate, const Words *words, void **columns)
{
    int64_t *query = columns[QUERY], *row = columns[ROW], *nth = columns[NTH], *sounds_left = columns[SOUNDS_LEFT];
    uint32_t *letters_left = columns[LETTERS_LEFT];
    float *share = columns[SHARE], *form_share = columns[FORM_SHARE], *best = columns[BEST];
    Py_ssize_t filled = 0;
    Search searches[STEPS];
    for (Py_ssize_t step = 0; step < words->count + STEPS - 1; step++) {
        Py_ssize_t last = step - (STEPS - 1);
        if (step < words->count) {
            const Py_ssize_t *start = words->starts + step;
            search_keys(index, words->letters + start[0], start[1] - start[0], &searches[step % STEPS]);
        }
        if (step >= 1 && step - 1 < words->count)
            search_buckets(index, &searches[(step - 1) % STEPS]);
        if (step >= 2 && step - 2 < words->count)
            search_rows(index, &searches[(step - 2) % STEPS]);
        if (last < 0)
            continue;
        Pair pairs[MOST_PAIRS];
        const Search *search = &searches[last % STEPS];
        int found = search_pairs(index, search, pairs);
        weigh(gate, index, &search->word, pairs, found, share + filled, form_share + last, best + last * FEATURES);
        for (int n = 0; n < found; n++, filled++) {
            query[filled] = last;
            row[filled] = pairs[n].row;
            nth[filled] = n;
            letters_left[filled] = pairs[n].letters_left;
            sounds_left[filled] = pairs[n].sounds_left;
        }
    }
    return filled;
}

/* read_words(words, arrays of index and gate, (bucket bits, row bits, most, five costs)) -> bytearrays of query, row, nth
 * (int64), letters left (uint32), sounds left (int64), share (float32), and for each word the share of its form and the
 * features of its best candidate (float32). Reference: KeyReader.read. */
PyObject *kernel_read_words(PyObject *module, PyObject *args)
{
    static const int item[COLUMNS] = {8, 8, 8, 4, 8, 4, 4, 4};
    PyObject *list, *arrays, *columns[COLUMNS] = {NULL}, *result = NULL;
    Py_buffer buffers[BUFFERS];
    Similar index = {0};
    Gate gate = {0};
    int held = 0;
    Words words;
    void *out[COLUMNS];
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!(iiiiiiii)", &PyList_Type, &list, &PyTuple_Type, &arrays, &index.bucket_bits,
                          &index.row_bits, &index.most, &index.costs[0], &index.costs[1], &index.costs[2],
                          &index.costs[3], &index.costs[4]))
        return NULL;
    if (PyTuple_Size(arrays) != BUFFERS) {
        PyErr_SetString(PyExc_ValueError, "The reader has another number of arrays.");
        return NULL;
    }
    for (; held < BUFFERS; held++)
        if (PyObject_GetBuffer(PyTuple_GetItem(arrays, held), &buffers[held], PyBUF_SIMPLE) < 0)
            goto release;
    point_into(&index, &gate, buffers);
    if (!fits(&index, &gate, buffers)) {
        PyErr_SetString(PyExc_ValueError, "The arrays of the reader do not fit together.");
        goto release;
    }
    gate.form_score_bias = *(const float *)buffers[FORM_SCORE_BIAS].buf;
    if (words_read(list, &words) < 0)
        goto release;
    for (int i = 0; i < COLUMNS; i++) {
        Py_ssize_t items = i == FORM_SHARE ? words.count : words.count * (i == BEST ? FEATURES : index.most);
        columns[i] = PyByteArray_FromStringAndSize(NULL, items * item[i]);
        if (columns[i] == NULL)
            goto free_words;
        out[i] = PyByteArray_AsString(columns[i]);
    }
    Py_ssize_t filled;
    Py_BEGIN_ALLOW_THREADS
    filled = read_all(&index, &gate, &words, out);
    Py_END_ALLOW_THREADS
    for (int i = QUERY; i <= SHARE; i++)
        if (PyByteArray_Resize(columns[i], filled * item[i]) < 0)
            goto free_words;
    result = PyTuple_Pack(COLUMNS, columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], columns[6],
                          columns[7]);
free_words:
    for (int i = 0; i < COLUMNS; i++)
        Py_XDECREF(columns[i]);
    words_free(&words);
release:
    while (held--)
        PyBuffer_Release(&buffers[held]);
    return result;
}
