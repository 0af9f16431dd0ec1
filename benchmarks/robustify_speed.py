"""How long it takes to make an encoder robust, and to load a robust one, on one core: a random model of MiniLM's size.

python benchmarks/robustify_speed.py
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from record import keep

import everyword

SIZES = {"vocab_size": 30_522, "hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12}
SIZES |= {"intermediate_size": 1_536}
WHOLE_WORDS = 23_700
"""About as many as the vocabulary of MiniLM has; the rest are pieces."""
SEED = 0
ROUNDS = 3
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,;:!?'\"()-/&"
PROGRAM = """
import json, os, resource, sys, time
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
plain, robust = sys.argv[1:]
import torch, transformers
torch.set_num_threads(1)
from everyword.plugins.transformers import from_pretrained, robustify
found = {}
def measure(name, act):
    wall, cpu = time.perf_counter(), time.process_time()
    result = act()
    found[name + "_s"], found[name + "_cpu_s"] = time.perf_counter() - wall, time.process_time() - cpu
    return result
model, tokenizer = transformers.AutoModel.from_pretrained(plain), transformers.AutoTokenizer.from_pretrained(plain)
measure("robustify", lambda: robustify(model, tokenizer))
measure("save", lambda: (model.save_pretrained(robust), tokenizer.save_pretrained(robust)))
model, tokenizer = measure("load", lambda: from_pretrained(robust))
texts = tokenizer(["the archiitect has leukamia"], return_tensors="pt")
measure("first_text", lambda: model.eval()(**texts))
found["peak_memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps(found))
"""


def write_model(folder: Path) -> None:
    """Save a random BERT whose tokenizer has frequent words and frequent endings of words."""
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    words = everyword.load("everyword-en").known_words.words
    endings = Counter(word[start:] for word in words for start in range(max(1, len(word) - 5), len(word)))
    pieces = ["##" + ending for ending, _ in endings.most_common(SIZES["vocab_size"])]
    listed = [*SPECIAL, *LETTERS, *("##" + letter for letter in LETTERS), *words[:WHOLE_WORDS], *pieces]
    vocabulary = list(dict.fromkeys(listed))[: SIZES["vocab_size"]]
    tokenizer = Tokenizer(models.WordPiece({word: row for row, word in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {f"{name[1:-1].lower()}_token": name for name in SPECIAL}
    transformers.BertTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)
    torch.manual_seed(SEED)
    transformers.BertModel(transformers.BertConfig(**SIZES)).save_pretrained(folder)


def measured(plain: Path, robust: Path) -> dict[str, Any]:
    """Times in a fresh process on one core."""
    threads = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(plain), str(robust)],
        env={**os.environ, **threads},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@click.command()
@click.option("--rounds", default=ROUNDS, show_default=True)
def main(rounds: int) -> None:
    with TemporaryDirectory() as folder:
        plain = Path(folder) / "plain"
        write_model(plain)
        found = [measured(plain, Path(folder) / f"robust{number}") for number in range(rounds)]
    medians = {key: round(statistics.median(one[key] for one in found), 2) for key in found[0]}
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], text=True, cwd=Path(__file__).parent).strip()
    busy = {"processors": os.cpu_count(), "load_average": round(os.getloadavg()[0], 1)}
    about = {"commit": commit, "sizes": SIZES, "seed": SEED, "rounds": rounds, **busy}
    print(medians)
    keep("robustify-speed", {"metric": f"median of {rounds} fresh processes on one core", **about, **medians})


if __name__ == "__main__":
    main()
