"""The compiled kernel (src/kernel): twins of the slowest functions. Use `everyword.kernel`, which checks and allocates.

An array must be in C order and of the type that the wrapper makes sure of: only its bytes are read. The first array of
a tuple is written to where a function returns nothing.
"""

from everyword.arrays import AnyArray

INTERFACE: int

def ngram_rows(
    words: list[str],
    arrays: tuple[AnyArray, AnyArray, AnyArray],
    base: int,
    shift: int,
    shortest: int,
    longest: int,
    begin: int,
    end: int,
    /,
) -> tuple[bytearray, bytearray]: ...
def mean_rows(arrays: tuple[AnyArray, AnyArray, AnyArray, AnyArray, AnyArray], width: int, /) -> None: ...
def add_product(arrays: tuple[AnyArray, AnyArray, AnyArray, AnyArray], width: int, /) -> None: ...
def add_rows(
    arrays: tuple[AnyArray, AnyArray, AnyArray, AnyArray, AnyArray, AnyArray], least: float, width: int, /
) -> None: ...
def scale_rows(arrays: tuple[AnyArray], width: int, length: float, /) -> None: ...
def decode_rows(arrays: tuple[AnyArray, ...], /) -> None: ...
def add_coded(arrays: tuple[AnyArray, ...], least: float, /) -> None: ...
def word_rows(words: list[str], arrays: tuple[AnyArray, AnyArray, AnyArray, AnyArray], /) -> bytearray: ...
def read_words(
    words: list[str], arrays: tuple[AnyArray, ...], settings: tuple[int, ...], /
) -> tuple[bytearray, bytearray, bytearray, bytearray, bytearray]: ...
def two_layers(arrays: tuple[AnyArray, ...], /) -> None: ...
