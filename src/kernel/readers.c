/* Words in, similar known words and their shares out. Reference: KeyReader in models/blend/readers.py. */
#include "gate.h"

enum { LETTER_OF, SOUND_TABLE, VOWEL_KINDS, CLASS_OF, KNOWN, BEGINS, ENTRIES, FEATURE_TABLE, BIAS, SCORE, FIRST,
       BEGIN, END, OWN, FORM_FEATURES, FORM_BIAS, FORM_SCORE, FORM_SCORE_BIAS, TRIGRAMS, BUFFERS };
enum { QUERY, ROW, SHARE, FORM_SHARE, BEST, COLUMNS };

#define STEPS 4 /* of a search */

/* Return 0 if all arrays have the sizes that search and gate rely on, or -1 with ValueError. */
static int check(const Similar *index, const Gate *gate, const Arrays *arrays)
{
    Py_ssize_t hidden = gate->hidden, form_hidden = gate->form_hidden, buckets = (Py_ssize_t)1 << (index->bucket_bits & 31);
    const Py_ssize_t bytes[BUFFERS] = {
        [LETTER_OF] = index->points, [SOUND_TABLE] = LETTERS * LETTERS * LETTERS * 3, [VOWEL_KINDS] = LETTERS,
        [CLASS_OF] = LONGEST, [KNOWN] = index->rows * (Py_ssize_t)sizeof(Known), [BEGINS] = (buckets + 1) * 4,
        [ENTRIES] = arrays->buffers[ENTRIES].len, [FEATURE_TABLE] = (FEATURES + 2 * (LETTERS - 1)) * hidden * 4,
        [BIAS] = hidden * 4, [SCORE] = 2 * hidden * 4, [FIRST] = LETTERS * LETTERS * hidden * 4,
        [BEGIN] = LETTERS * LETTERS * hidden * 4, [END] = LETTERS * LETTERS * hidden * 4,
        [OWN] = LETTERS * LETTERS * hidden * 4, [FORM_FEATURES] = TOLD * form_hidden * 4, [FORM_BIAS] = form_hidden * 4,
        [FORM_SCORE] = 2 * form_hidden * 4, [FORM_SCORE_BIAS] = 2 * 4,
        [TRIGRAMS] = LETTERS * LETTERS * LETTERS * 4,
    };
    int fits = index->points > 0 && index->rows > 0 && index->bucket_bits > 0 && index->bucket_bits < 32 &&
               index->row_bits > 0 && index->row_bits < 32 && index->rows <= (Py_ssize_t)1 << index->row_bits &&
               index->most > 0 && index->most <= MOST_PAIRS && hidden > 0 && hidden <= MOST_HIDDEN && form_hidden > 0 &&
               form_hidden <= MOST_HIDDEN;
    for (int i = 0; i < BUFFERS; i++)
        fits = fits && arrays->buffers[i].len == bytes[i];
    if (!fits || (Py_ssize_t)index->begins[buckets] * 4 != arrays->buffers[ENTRIES].len)
        return misfit("The arrays of the reader do not fit together.");
    return 0;
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
    for (int i = 0; i < 4; i++)
        gate->letters[i] = buffers[FIRST + i].buf;
    gate->form_features = buffers[FORM_FEATURES].buf;
    gate->form_bias = buffers[FORM_BIAS].buf;
    gate->form_hidden = (int)(buffers[FORM_BIAS].len / 4);
    gate->form_score = buffers[FORM_SCORE].buf;
    gate->form_score_bias = buffers[FORM_SCORE_BIAS].buf;
    gate->trigrams = buffers[TRIGRAMS].buf;
}

/* Read all words into columns and return how many pairs there are. Needs no GIL. */
static Py_ssize_t read_all(const Similar *index, const Gate *gate, const Words *words, void **columns)
{
    int64_t *query = columns[QUERY], *row = columns[ROW];
    float *share = columns[SHARE], *form_share = columns[FORM_SHARE], *best = columns[BEST];
    Py_ssize_t filled = 0;
    Search searches[STEPS];
    Seen seen = {0};
    for (Py_ssize_t step = 0; step < words->count + STEPS - 1; step++) {
        Py_ssize_t last = step - (STEPS - 1);
        if (step < words->count) {
            const Py_ssize_t *start = words->starts + step;
            search_keys(index, words->letters + start[0], start[1] - start[0], &searches[step % STEPS]);
        }
        if (step >= 1 && step - 1 < words->count)
            search_buckets(index, &searches[(step - 1) % STEPS]);
        if (step >= 2 && step - 2 < words->count)
            search_rows(index, &searches[(step - 2) % STEPS], &seen);
        if (last < 0)
            continue;
        Pair pairs[MOST_PAIRS];
        const Search *search = &searches[last % STEPS];
        int found = search_pairs(index, search, pairs);
        weigh(gate, index, &search->word, pairs, found, share + filled, form_share + last, best + last * (TOLD + 1));
        for (int n = 0; n < found; n++, filled++) {
            query[filled] = last;
            row[filled] = pairs[n].row;
        }
    }
    return filled;
}

/* read_words(words, arrays of index and gate, (bucket bits, row bits, most, costlier, five costs)) -> bytearrays of query and row
 * (int64) and share (float32), and for each word the share of its form and what that was made of (float32).
 * Reference: KeyReader.read. */
PyObject *kernel_read_words(PyObject *module, PyObject *args)
{
    static const int item[COLUMNS] = {8, 8, 4, 4, 4};
    PyObject *list, *tuple, *columns[COLUMNS] = {NULL}, *result = NULL;
    Similar index = {0};
    Gate gate = {0};
    Arrays arrays;
    Words words;
    void *out[COLUMNS];
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!(iiiiiiiii)", &PyList_Type, &list, &PyTuple_Type, &tuple, &index.bucket_bits,
                          &index.row_bits, &index.most, &index.costlier, &index.costs[0], &index.costs[1], &index.costs[2],
                          &index.costs[3], &index.costs[4]) ||
        arrays_hold(&arrays, tuple, BUFFERS, -1) < 0)
        return NULL;
    point_into(&index, &gate, arrays.buffers);
    if (check(&index, &gate, &arrays) < 0 || words_read(list, &words) < 0)
        goto release;
    for (int i = 0; i < COLUMNS; i++) {
        Py_ssize_t items = i == FORM_SHARE ? words.count : words.count * (i == BEST ? TOLD + 1 : index.most);
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
    result = PyTuple_Pack(COLUMNS, columns[0], columns[1], columns[2], columns[3], columns[4]);
free_words:
    for (int i = 0; i < COLUMNS; i++)
        Py_XDECREF(columns[i]);
    words_free(&words);
release:
    arrays_release(&arrays);
    return result;
}

/* mark_letters((known,)): fill in what packed words have besides their letters. Reference: WordShapes in alignment.py. */
PyObject *kernel_mark_letters(PyObject *module, PyObject *args)
{
    PyObject *tuple;
    Arrays arrays;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &tuple) || arrays_hold(&arrays, tuple, 1, 0) < 0)
        return NULL;
    mark_letters(arrays.buffers[0].buf, array_items(&arrays, 0, sizeof(Known)));
    arrays_release(&arrays);
    Py_RETURN_NONE;
}
