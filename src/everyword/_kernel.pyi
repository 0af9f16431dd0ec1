"""The compiled kernel (src/kernel): twins of the slowest functions. Use `everyword.kernel`, which checks and allocates.

An array must be in C order and of the type that the wrapper makes sure of: only its bytes are read.
"""

from everyword.arrays import AnyArray

INTERFACE: int

def ngram_rows(
    words: list[str],
    digits: AnyArray,
    numbers: AnyArray,
    rows: AnyArray,
    base: int,
    shift: int,
    shortest: int,
    longest: int,
    begin: int,
    end: int,
    /,
) -> tuple[bytearray, bytearray]: ...
def mean_rows(
    rows: AnyArray, lengths: AnyArray, values: AnyArray, scales: AnyArray, width: int, kind: str, out: AnyArray, /
) -> None: ...
def times_table(
    vector: AnyArray, values: AnyArray, scales: AnyArray, width: int, kind: str, out: AnyArray, /
) -> None: ...
def add_rows(
    words: AnyArray,
    rows: AnyArray,
    weights: AnyArray,
    values: AnyArray,
    scales: AnyArray,
    width: int,
    kind: str,
    out: AnyArray,
    /,
) -> None: ...
def read_words(
    words: list[str], arrays: tuple[AnyArray, ...], settings: tuple[int, int, int, int, int, int, int, int], /
) -> tuple[bytearray, bytearray, bytearray, bytearray, bytearray, bytearray, bytearray, bytearray]: ...
def scale_rows(matrix: AnyArray, width: int, length: float, /) -> None: ...
def decode_rows(
    levels: tuple[tuple[AnyArray, AnyArray, int, AnyArray, int], ...], rows: AnyArray, out: AnyArray, /
) -> None: ...
def add_coded(
    levels: tuple[tuple[AnyArray, AnyArray, int, AnyArray, int], ...],
    words: AnyArray,
    rows: AnyArray,
    weights: AnyArray,
    out: AnyArray,
    /,
) -> None: ...
def word_rows(words: list[str], text: AnyArray, ends: AnyArray, keys: AnyArray, rows: AnyArray, /) -> bytearray: ...
def find_candidates(
    words: list[str], arrays: tuple[AnyArray, ...], settings: tuple[int, int, int, int, int, int, int, int], /
) -> tuple[bytearray, bytearray, bytearray]: ...
