"""Import of optional packages, with the pip command in the error if one is missing."""

from __future__ import annotations

import importlib
from types import ModuleType

from everyword.errors import MissingExtraError

EXTRA_OF_PACKAGE = {
    "torch": "train",
    "tokenizers": "train",
    "rapidfuzz": "train",
    "snowballstemmer": "train",
    "tqdm": "train",
    "tomli": "train",
    "transformers": "transformers",
    "huggingface_hub": "hub",
    "matplotlib": "plot",
    "umap": "umap",
    "gensim": "gensim",
    "sklearn": "sklearn",
    "spacy": "spacy",
    "thinc": "spacy",
    "sentence_transformers": "sentence-transformers",
    "onnx": "onnx",
    "onnxruntime": "onnx",
    "pyarrow": "parquet",
    "zstandard": "zstd",
    "ray": "ray",
    "fastapi": "serve",
    "uvicorn": "serve",
    "prometheus_client": "serve",
}
INSTALLED_AS = {
    "sklearn": "scikit-learn",
    "umap": "umap-learn",
    "sentence_transformers": "sentence-transformers",
    "prometheus_client": "prometheus-client",
}
"""Packages that pip knows under another name than the one that is imported."""


def require(module: str, purpose: str) -> ModuleType:
    """Import an optional module, or raise MissingExtraError with the command that installs it."""
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        extra = EXTRA_OF_PACKAGE[package]
        raise MissingExtraError(
            f'{purpose} needs the package {INSTALLED_AS.get(package, package)}: run  pip install "everyword[{extra}]"',
            name=package,
        ) from None
