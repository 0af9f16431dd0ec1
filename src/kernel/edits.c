/* Known words near in spelling. Reference: models/retrieval. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#define BASE 0x9E3779B97F4A7C15ULL
#define MORE 3        /* stands for every distance above two */
#define SOUNDS 20     /* consonants that count: sounds.LONGEST */
#define SOUND_BASE 7  /* sounds.BASE */
#define SPARE 4       /* empty columns of `Spellings` */

/* Spellings in an alphabet: rows of letters of one or two bytes, the higher byte first, and their lengths. */
typedef struct {
    const uint8_t *letters, *backwards;
    const int64_t *lengths;
    Py_ssize_t rows, width; /* width in letters */
    int size;
} Spelt;

/* Where known words are found; the arrays of `_Indexes` in candidates.py. */
typedef struct {
    Spelt known;
    const uint32_t *begins, *entries; /* DeletionTable */
    int bucket_bits, row_bits;
    uint64_t shift_by_one, shift_by_two;
    const int64_t *among; /* edit_index.AMONG */
    Py_ssize_t among_count;
    const int64_t *forwards, *backwards; /* rows in alphabetical order, from the beginning and from the end */
    const uint8_t *numbers;              /* Alphabet: the letter of each code point; the last stands for all beyond */
    Py_ssize_t points;
    const uint64_t *codes; /* SoundIndex: sorted codes and their rows */
    const int32_t *code_rows;
    const uint8_t *sound_classes; /* of the first 128 code points */
    const double *rank_cost;
    const double *distance_cost;
    int reach, sounds_like, most;
} Finder;

typedef struct {
    int64_t row;
    double cost;
    int distance, anyway;
} Candidate;

static unsigned letter_at(const uint8_t *row, int size, Py_ssize_t at)
{
    return size == 1 ? row[at] : (unsigned)row[2 * at] << 8 | row[2 * at + 1];
}

/* The optimal string alignment distance of two words up to `most` (1 or 2), else MORE. Reference: edit_distances in
 * models/retrieval/edit_distance.py. */
static int edit_distance(const uint8_t *first, Py_ssize_t n, const uint8_t *second, Py_ssize_t m, int size, int most)
{
    Py_ssize_t shorter = n < m ? n : m, begin = 0, end = 0;
    if ((n > m ? n - m : m - n) > most)
        return MORE;
    while (begin < shorter && letter_at(first, size, begin) == letter_at(second, size, begin))
        begin++;
    while (end < shorter - begin && letter_at(first, size, n - 1 - end) == letter_at(second, size, m - 1 - end))
        end++;
    n -= begin + end;
    m -= begin + end;
    if (n == 0 || m == 0)
        return (int)(n > m ? n : m);
    if (n == 1 && m == 1)
        return 1;
    first += begin * size;
    second += begin * size;
    /* The usual table, but only the cells at most `most` off the diagonal: cell [k] of a line is column i + k - most. */
    int lines[3][7], wide = 2 * most + 1;
    int *before = lines[0], *above = lines[1], *line = lines[2];
    for (int k = 0; k < wide; k++)
        above[k] = k >= most && k - most <= m ? k - most : MORE;
    for (int k = 0; k < wide; k++)
        before[k] = MORE;
    for (Py_ssize_t i = 1; i <= n; i++) {
        int least = MORE;
        unsigned own = letter_at(first, size, i - 1);
        for (int k = 0; k < wide; k++) {
            Py_ssize_t j = i + k - most;
            int cost = MORE;
            if (j == 0)
                cost = i < MORE ? (int)i : MORE;
            else if (j > 0 && j <= m) {
                unsigned other = letter_at(second, size, j - 1);
                cost = above[k] + (own != other);
                if (k + 1 < wide && above[k + 1] + 1 < cost)
                    cost = above[k + 1] + 1;
                if (k > 0 && line[k - 1] + 1 < cost)
                    cost = line[k - 1] + 1;
                if (i > 1 && j > 1 && own == letter_at(second, size, j - 2) &&
                    other == letter_at(first, size, i - 2) && before[k] + 1 < cost)
                    cost = before[k] + 1;
            }
            line[k] = cost < MORE ? cost : MORE;
            if (line[k] < least)
                least = line[k];
        }
        if (least > most && i > 1) { /* a swap may still come from the line before this one */
            int earlier = MORE;
            for (int k = 0; k < wide; k++)
                if (above[k] < earlier)
                    earlier = above[k];
            if (earlier >= most)
                return MORE;
        }
        int *spare = before;
        before = above;
        above = line;
        line = spare;
    }
    int distance = above[m - n + most];
    return distance <= most ? distance : MORE;
}

/* How many of the most frequent words are searched for two edits. Reference: _among in edit_index.py. */
static int64_t among(const Finder *finder, Py_ssize_t length)
{
    return finder->among[length < finder->among_count ? length : finder->among_count - 1];
}

/* Candidates of one word, and what is needed on the way: reused from word to word. */
typedef struct {
    Candidate *found;
    Py_ssize_t count, room;
    uint64_t *prefix, *hashes;
    Py_ssize_t hash_room;
} Work;

static int push(const Spelt *known, Work *work, int64_t row, int anyway)
{
    if (work->count == work->room) {
        Py_ssize_t room = 2 * work->room + 64;
        Candidate *larger = realloc(work->found, (size_t)room * sizeof *larger);
        if (larger == NULL)
            return -1;
        work->found = larger;
        work->room = room;
    }
    PREFETCH(known->letters + (size_t)(row * known->width * known->size));
    work->found[work->count++] = (Candidate){row, 0.0, MORE, anyway};
    return 0;
}

/* Push the rows that share a spelling with at most two letters left out. Reference: EditIndex.perhaps. */
static int push_near(const Finder *finder, Work *work, const uint8_t *letters, Py_ssize_t length)
{
    Py_ssize_t ways = 0, ones = 1 + length, most = 1 + length + length * (length - 1) / 2;
    if (length > finder->known.width - SPARE + 2)
        return 0;
    if (most > work->hash_room) {
        free(work->prefix);
        free(work->hashes);
        work->hash_room = 0;
        work->prefix = malloc((size_t)(length + 1) * sizeof *work->prefix);
        work->hashes = malloc((size_t)most * sizeof *work->hashes);
        if (work->prefix == NULL || work->hashes == NULL)
            return -1;
        work->hash_room = most;
    }
    uint64_t power = 1, *prefix = work->prefix, *hashes = work->hashes;
    prefix[0] = 0;
    for (Py_ssize_t i = 0; i < length; i++) {
        power *= BASE;
        prefix[i + 1] = prefix[i] + letter_at(letters, finder->known.size, i) * power;
    }
    hashes[ways++] = prefix[length];
    for (Py_ssize_t i = 0; i < length; i++)
        hashes[ways++] = prefix[i] + (prefix[length] - prefix[i + 1]) * finder->shift_by_one;
    for (Py_ssize_t i = 0; i < length; i++)
        for (Py_ssize_t j = i + 1; j < length; j++)
            hashes[ways++] = prefix[i] + (prefix[j] - prefix[i + 1]) * finder->shift_by_one +
                             (prefix[length] - prefix[j + 1]) * finder->shift_by_two;
    int bucket_shift = 64 - finder->bucket_bits;
    for (Py_ssize_t way = 0; way < ways; way++)
        PREFETCH(&finder->begins[hashes[way] >> bucket_shift]);
    for (Py_ssize_t way = 0; way < ways; way++)
        PREFETCH(&finder->entries[finder->begins[hashes[way] >> bucket_shift]]);
    for (Py_ssize_t way = 0; way < ways; way++) {
        int64_t below = way < ones ? finder->known.rows : among(finder, length);
        int out = way == 0 ? 0 : way < ones ? 1 : 2;
        uint64_t bucket = hashes[way] >> bucket_shift;
        uint32_t tag = (uint32_t)((hashes[way] << finder->bucket_bits) >> (32 + finder->row_bits));
        for (uint32_t at = finder->begins[bucket]; at < finder->begins[bucket + 1]; at++) {
            uint32_t row = finder->entries[at] - (tag << finder->row_bits);
            if (row >> finder->row_bits || row >= below)
                continue;
            int64_t longer = finder->known.lengths[row] - length;
            if (out + (longer > 0 ? longer : 0) <= 1 + (row < among(finder, length)) && push(&finder->known, work, row, 0) < 0)
                return -1;
        }
    }
    return 0;
}

/* Push the known words before and after a word in the dictionary. Reference: AlphabeticalIndex.beside. */
static int push_beside(const Finder *finder, Work *work, const uint8_t *rows, const int64_t *order, const uint8_t *key)
{
    Py_ssize_t low = 0, high = finder->known.rows;
    size_t bytes = (size_t)(finder->known.width * finder->known.size);
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (memcmp(rows + (size_t)order[middle] * bytes, key, bytes) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (Py_ssize_t at = low - finder->reach; at < low + finder->reach; at++) {
        Py_ssize_t inside = at < 0 ? 0 : at < finder->known.rows ? at : finder->known.rows - 1;
        if (push(&finder->known, work, order[inside], 1) < 0)
            return -1;
    }
    return 0;
}

static int by_row(const void *one, const void *other)
{
    const Candidate *a = one, *b = other;
    return a->row != b->row ? (a->row < b->row ? -1 : 1) : b->anyway - a->anyway;
}

static int by_cost(const void *one, const void *other)
{
    const Candidate *a = one, *b = other;
    return a->cost != b->cost ? (a->cost < b->cost ? -1 : 1) : a->row < b->row ? -1 : a->row > b->row;
}

/* A number for the consonants of a word in their order. Reference: sound_codes in models/retrieval/sounds.py. */
static uint64_t sound_code(const Finder *finder, const Py_UCS4 *letters, Py_ssize_t length)
{
    uint64_t code = 0, power = 1;
    int count = 0, before = 0;
    for (Py_ssize_t i = 0; i < length && count < SOUNDS; i++) {
        int class = finder->sound_classes[letters[i] < 128 ? letters[i] : 127];
        if (class && class != before) {
            code += (uint64_t)class * power;
            power *= SOUND_BASE;
            count++;
        }
        before = class;
    }
    return code;
}

/* Push the most frequent known words of the same sound. Reference: SoundIndex.like. */
static int push_sounds(const Finder *finder, Work *work, uint64_t code)
{
    Py_ssize_t low = 0, high = finder->known.rows;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (finder->codes[middle] < code)
            low = middle + 1;
        else
            high = middle;
    }
    for (Py_ssize_t at = low; code && at < low + finder->sounds_like && at < finder->known.rows; at++)
        if (finder->codes[at] == code && push(&finder->known, work, finder->code_rows[at], 1) < 0)
            return -1;
    return 0;
}

/* Write the letters of a word in the alphabet of the known words, cut or filled up to their width. Reference:
 * Alphabet.spell in models/retrieval/spellings.py. */
static void spell(const Finder *finder, const Py_UCS4 *letters, Py_ssize_t length, int backwards, uint8_t *row)
{
    int size = finder->known.size;
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_ssize_t point = (Py_ssize_t)letters[backwards ? length - 1 - i : i];
        memcpy(row + i * size, finder->numbers + (point < finder->points ? point : finder->points - 1) * size, (size_t)size);
    }
    if (length < finder->known.width)
        memset(row + length * size, 0, (size_t)((finder->known.width - length) * size));
}

/* Find the candidates of a word; they are the first of work->found, best first. Reference: CandidateFinder.find. */
static int find(const Finder *finder, const Py_UCS4 *word, Py_ssize_t length, uint8_t *row, Work *work)
{
    const Spelt *known = &finder->known;
    Py_ssize_t kept = 0;
    work->count = 0;
    spell(finder, word, length, 1, row);
    if (push_beside(finder, work, known->backwards, finder->backwards, row) < 0)
        return -1;
    spell(finder, word, length, 0, row);
    if (push_beside(finder, work, known->letters, finder->forwards, row) < 0 ||
        push_sounds(finder, work, sound_code(finder, word, length)) < 0 || push_near(finder, work, row, length) < 0)
        return -1;
    qsort(work->found, (size_t)work->count, sizeof *work->found, by_row);
    for (Py_ssize_t i = 0; i < work->count; i++) {
        Candidate candidate = work->found[i];
        if (i > 0 && candidate.row == work->found[i - 1].row)
            continue; /* the first of equal rows is found anyway if any of them is */
        const uint8_t *other = known->letters + (size_t)(candidate.row * known->width * known->size);
        candidate.distance = edit_distance(row, length, other, (Py_ssize_t)known->lengths[candidate.row], known->size, 2);
        if (candidate.distance > 1 + (candidate.row < among(finder, length)))
            candidate.distance = MORE;
        if (!candidate.anyway && candidate.distance == MORE)
            continue;
        candidate.cost = finder->distance_cost[candidate.distance] + finder->rank_cost[candidate.row];
        work->found[kept++] = candidate;
    }
    qsort(work->found, (size_t)kept, sizeof *work->found, by_cost);
    work->count = kept < finder->most ? kept : finder->most;
    return 0;
}

/* Find the candidates of all words and write them; return how many, or -1 without memory. Needs no GIL. */
static Py_ssize_t find_all(const Finder *finder, const Words *words, int64_t *query, int64_t *row, int64_t *distance)
{
    Py_ssize_t filled = 0, widest = words_widest(words);
    Work work = {0};
    if (widest < finder->known.width)
        widest = finder->known.width;
    uint8_t *letters = malloc((size_t)((widest + 1) * finder->known.size));
    for (Py_ssize_t i = 0; i < words->count && filled >= 0; i++) {
        const Py_UCS4 *word = words->letters + words->starts[i];
        if (letters == NULL || find(finder, word, words->starts[i + 1] - words->starts[i], letters, &work) < 0) {
            filled = -1;
            break;
        }
        for (Py_ssize_t n = 0; n < work.count; n++, filled++) {
            query[filled] = i;
            row[filled] = work.found[n].row;
            distance[filled] = work.found[n].distance;
        }
    }
    free(letters);
    free(work.found);
    free(work.prefix);
    free(work.hashes);
    return filled;
}

enum { NUMBERS, LETTERS, BACKWARDS, LENGTHS, BEGINS, ENTRIES, AMONG, ALPHABET, ALPHABET_BACK, CODES, CODE_ROWS, CLASSES,
       RANK_COST, DISTANCE_COST, BUFFERS };

/* Whether all arrays have the sizes that the search relies on. */
static int fits(const Finder *finder, const Py_buffer *buffers)
{
    Py_ssize_t rows = finder->known.rows, size = finder->known.size, width = finder->known.width;
    if (rows < 1 || (size != 1 && size != 2) || finder->bucket_bits < 1 || finder->bucket_bits > 31 ||
        finder->row_bits < 1 || finder->row_bits > 31 || rows > (Py_ssize_t)1 << finder->row_bits || width < SPARE)
        return 0;
    if (buffers[LETTERS].len != rows * width * size || buffers[BACKWARDS].len != rows * width * size ||
        buffers[BEGINS].len != (((Py_ssize_t)1 << finder->bucket_bits) + 1) * 4 || finder->points < 1 ||
        finder->among_count < 1 || buffers[ALPHABET].len != rows * 8 || buffers[ALPHABET_BACK].len != rows * 8 ||
        buffers[CODES].len != rows * 8 || buffers[CODE_ROWS].len != rows * 4 || buffers[CLASSES].len != 128 ||
        buffers[RANK_COST].len != rows * 8 || buffers[DISTANCE_COST].len != (MORE + 1) * 8)
        return 0;
    return (Py_ssize_t)finder->begins[(Py_ssize_t)1 << finder->bucket_bits] * 4 == buffers[ENTRIES].len;
}

/* find_candidates(words, arrays of the index, (row size, bucket bits, row bits, shift by one, shift by two, reach, sounds
 * like, most)) -> (query, row, distance), three bytearrays of int64. Reference: CandidateFinder.find. */
PyObject *kernel_find_candidates(PyObject *module, PyObject *args)
{
    PyObject *list, *arrays, *columns[3] = {NULL, NULL, NULL}, *result = NULL;
    Py_buffer buffers[BUFFERS];
    Finder finder = {0};
    unsigned long long one, two;
    int held = 0;
    Words words;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!(iiiKKiii)", &PyList_Type, &list, &PyTuple_Type, &arrays, &finder.known.size,
                          &finder.bucket_bits, &finder.row_bits, &one, &two, &finder.reach, &finder.sounds_like,
                          &finder.most))
        return NULL;
    if (PyTuple_Size(arrays) != BUFFERS) {
        PyErr_SetString(PyExc_ValueError, "The index has another number of arrays.");
        return NULL;
    }
    for (; held < BUFFERS; held++)
        if (PyObject_GetBuffer(PyTuple_GetItem(arrays, held), &buffers[held], PyBUF_SIMPLE) < 0)
            goto release;
    finder.shift_by_one = one;
    finder.shift_by_two = two;
    finder.numbers = buffers[NUMBERS].buf;
    finder.known.letters = buffers[LETTERS].buf;
    finder.known.backwards = buffers[BACKWARDS].buf;
    finder.known.lengths = buffers[LENGTHS].buf;
    finder.known.rows = buffers[LENGTHS].len / 8;
    finder.begins = buffers[BEGINS].buf;
    finder.entries = buffers[ENTRIES].buf;
    finder.among = buffers[AMONG].buf;
    finder.among_count = buffers[AMONG].len / 8;
    finder.forwards = buffers[ALPHABET].buf;
    finder.backwards = buffers[ALPHABET_BACK].buf;
    finder.codes = buffers[CODES].buf;
    finder.code_rows = buffers[CODE_ROWS].buf;
    finder.sound_classes = buffers[CLASSES].buf;
    finder.rank_cost = buffers[RANK_COST].buf;
    finder.distance_cost = buffers[DISTANCE_COST].buf;
    if (finder.known.size > 0 && finder.known.rows > 0) {
        finder.known.width = buffers[LETTERS].len / finder.known.rows / finder.known.size;
        finder.points = buffers[NUMBERS].len / finder.known.size;
    }
    if (!fits(&finder, buffers)) {
        PyErr_SetString(PyExc_ValueError, "The arrays of the index do not fit together.");
        goto release;
    }
    if (words_read(list, &words) < 0)
        goto release;
    for (int i = 0; i < 3; i++) {
        columns[i] = PyByteArray_FromStringAndSize(NULL, words.count * finder.most * 8);
        if (columns[i] == NULL)
            goto free_words;
    }
    int64_t *out[3];
    for (int i = 0; i < 3; i++)
        out[i] = (int64_t *)PyByteArray_AsString(columns[i]);
    Py_ssize_t filled;
    Py_BEGIN_ALLOW_THREADS
    filled = find_all(&finder, &words, out[0], out[1], out[2]);
    Py_END_ALLOW_THREADS
    if (filled < 0)
        PyErr_NoMemory();
    else if (!PyByteArray_Resize(columns[0], filled * 8) && !PyByteArray_Resize(columns[1], filled * 8) &&
             !PyByteArray_Resize(columns[2], filled * 8))
        result = PyTuple_Pack(3, columns[0], columns[1], columns[2]);
free_words:
    for (int i = 0; i < 3; i++)
        Py_XDECREF(columns[i]);
    words_free(&words);
release:
    while (held--)
        PyBuffer_Release(&buffers[held]);
    return result;
}
