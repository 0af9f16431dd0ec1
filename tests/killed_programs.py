"""Programs that `killed` ends while they write: what is there before, and what they do."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
from tiny import TINY_OVERRIDES, tiny_table

from everyword.models.model import Model
from everyword.vectors.table import VectorTable

NEW, OLD = 1.0, 2.0
TABLE_WORDS = ["ban", "belo", "grin"]


def run_command(*arguments: object) -> None:
    """Run `everyword`, which exits at its end."""
    from everyword.cli import main

    try:
        main([str(argument) for argument in arguments])
    except SystemExit as end:
        assert not end.code, end.code  # noqa: PT017


def table_of(value: float) -> VectorTable:
    return VectorTable(TABLE_WORDS[:: 1 if value == OLD else -1], np.full((3, 2), value, dtype=np.float32))


class SaveTable:
    """A table over an older one, the words of which come in another order."""

    def __init__(self, suffix: str) -> None:
        self.suffix = suffix

    def before(self, folder: Path) -> None:
        table_of(OLD).save(folder / f"x{self.suffix}")

    def work(self, folder: Path) -> None:
        table_of(NEW).save(folder / f"x{self.suffix}")


class SaveModel:
    """A model over an older one of other words."""

    def before(self, folder: Path) -> None:
        self._model(OLD).save_pretrained(folder / "model")

    def work(self, folder: Path) -> None:
        self._model(NEW).save_pretrained(folder / "model")

    def _model(self, value: float) -> Model:
        from attacks.sound import small_model

        return small_model(["ban", "belo"] if value == OLD else ["grin", "trust", "plinness"])


class SaveAdapted(SaveModel):
    """An adapted model over an older one: a folder in a folder."""

    def _model(self, value: float) -> Model:
        from everyword.models.adapt.adapted import AdaptedModel
        from everyword.models.known import KnownWords
        from everyword.space.linear_map import LinearMap
        from everyword.vectors.storage.stored import StoredMatrix

        base = super()._model(value)
        known = KnownWords(["ban"], StoredMatrix(np.full((1, 2), value, dtype=np.float32)))
        to_own_space = LinearMap(np.full((3, 2), value, dtype=np.float32), np.zeros(2, dtype=np.float32), 1.0)
        return AdaptedModel("adapted", base, to_own_space, known, {})


class SaveRecord:
    """A record of post-processing over an older one."""

    def before(self, folder: Path) -> None:
        self._save(folder, OLD)

    def work(self, folder: Path) -> None:
        self._save(folder, NEW)

    def _save(self, folder: Path, value: float) -> None:
        from everyword.space import Pipeline

        rows = np.array([[0, 0, 0], [value, value, 2 * value]], dtype=np.float32)
        Pipeline.fit("centre", rows).save(folder / "record")


class SaveBertram:
    """A BERTRAM over an older one, with an everyword model inside."""

    def before(self, folder: Path) -> None:
        from attacks.sound import small_model
        from tiny_transformers import save_tiny_bert

        from everyword.language_models.language_model import LanguageModel
        from everyword.systems.bertram import Bertram, BertramConfig

        encoder = LanguageModel.load(save_tiny_bert(folder / "bert"), device="cpu")
        old, self.new = (
            Bertram.untrained(encoder, words, BertramConfig(seed=seed), form=small_model(words))
            for seed, words in enumerate((["cat", "dog"], ["mat", "walked", "walking"]))
        )
        old.save(folder / "model")

    def work(self, folder: Path) -> None:
        self.new.save(folder / "model")


class SaveRobust:
    """A robust language model over an older one."""

    def before(self, folder: Path) -> None:
        import transformers
        from tiny_transformers import save_tiny_bert

        from everyword.plugins.transformers import robustify

        bert = save_tiny_bert(folder / "bert")
        tokenizer = transformers.AutoTokenizer.from_pretrained(bert)
        old, self.new = (
            robustify(
                transformers.AutoModel.from_pretrained(bert).eval(),
                tokenizer,
                VectorTable([word], np.ones((1, 16), dtype=np.float32)),
                strategy,
            )
            for word, strategy in (("weasel", "replace"), ("raven", "linear"))
        )
        old.save_pretrained(folder / "model")
        tokenizer.save_pretrained(folder / "model")

    def work(self, folder: Path) -> None:
        self.new.save_pretrained(folder / "model")


class Encode:
    """`everyword encode --output`, over an older file."""

    def before(self, folder: Path) -> None:
        SaveModel().before(folder)
        (folder / "words.txt").write_text("ban\ngrin\n", encoding="utf-8")
        table_of(OLD).save(folder / "x.vec")

    def work(self, folder: Path) -> None:
        model, words, out = (folder / name for name in ("model", "words.txt", "x.vec"))
        run_command("encode", "--model", model, "--input", words, "--output", out, "--overwrite")


class Align:
    """`everyword align`, with another method than an older alignment: a table and a record."""

    def before(self, folder: Path) -> None:
        vectors = np.random.default_rng(0).normal(size=(6, 3)).astype(np.float32)
        words = [*TABLE_WORDS, "trust", "plinness", "dan"]
        VectorTable(words, vectors).save(folder / "one.vec")
        VectorTable(words, vectors[:, ::-1].copy()).save(folder / "other.vec")
        self._run(folder, "orthogonal")

    def work(self, folder: Path) -> None:
        self._run(folder, "ridge")

    def _run(self, folder: Path, method: str) -> None:
        paths = folder / "one.vec", folder / "other.vec", "--output", folder / "x.vec"
        run_command("align", *paths, "--seeds", "identical", "--method", method, "--overwrite")


class Search:
    """`everyword search`, which keeps an index beside the texts."""

    def before(self, folder: Path) -> None:
        from attacks.sound import small_model

        from everyword.corpus import search

        assert search  # imported once, not in every process
        (folder / "texts.txt").write_text("ban belo\ngrin\ntrust ban\n", encoding="utf-8")
        small_model().save_pretrained(folder / "model")

    def work(self, folder: Path) -> None:
        run_command("search", folder / "texts.txt", "ban", "--model", folder / "model", "--quiet")


class TrainTagger:
    """`everyword train tagger`, for two epochs, that goes on where it is."""

    def before(self, folder: Path) -> None:
        from everyword.systems.taggers import train

        assert train  # imported once, not in every process
        lines = "ban\tO\nbelo\tB-X\n\ngrin\tO\nban\tB-X\n\n" * 9
        (folder / "train.conll").write_text(lines, encoding="utf-8")
        table_of(OLD).save(folder / "x.vec")

    def work(self, folder: Path) -> None:
        run, files = folder / "run", ("--train", folder / "train.conll", "--vectors", folder / "x.vec")
        again = ("--resume",) if (run / "checkpoint.safetensors").is_file() else ()
        where = ("--output", folder / "tagger", "--run-folder", run, "--quiet", *again)
        run_command("train", "tagger", *files, *where, "epochs=2", "states=2", "characters=2", "batch=8")


class FindContexts:
    """`everyword contexts`, with several shards that are folded."""

    def before(self, folder: Path) -> None:
        from corpus.contexts.made_corpus import make, write_corpus

        from everyword.corpus.contexts import find, shards, worker

        assert all((make, find, shards, worker))  # imported once, not in every process
        write_corpus(folder / "corpus.txt", 60)

    def work(self, folder: Path) -> None:
        from corpus.contexts.made_corpus import make

        from everyword.corpus.contexts import find, shards, worker
        from everyword.corpus.executors import run_task

        shards.BYTES_PER_SHARD, worker.PARTS_AT_ONCE, find.PARTS_AT_ONCE = 1500, 2, 2
        warnings.simplefilter("ignore")
        assert make([folder / "corpus.txt"], folder / "out", executor=lambda tasks, stopped: map(run_task, tasks))


class EmbedFiles:
    """`everyword embed`, with several parts."""

    def before(self, folder: Path) -> None:
        from attacks.sound import small_model

        from everyword.corpus.embedding import embed

        assert embed  # imported once, not in every process
        (folder / "texts.txt").write_text("ban belo\ngrin\n\nban\nbelo grin\n")
        small_model(["ban", "belo", "grin"]).save_pretrained(folder / "model")

    def work(self, folder: Path) -> None:
        from everyword.corpus.embedding.embed import embed_files

        where = str(folder / "texts.txt"), folder / "out"
        assert embed_files(*where, model=folder / "model", rows_per_part=2, format="npy").complete


class Train:
    """A training of two epochs, with a checkpoint after each, that goes on where it is."""

    def before(self, folder: Path) -> None:
        import torch

        from everyword.systems.spelling import train as spelling

        assert all((torch.tensor, spelling.train))  # imported once, not in every process
        tiny_table().save(folder / "tiny.vec")

    def work(self, folder: Path) -> None:
        from everyword.systems.spelling.recipe import load_recipe
        from everyword.systems.spelling.train import SpellingRun, train

        recipe = load_recipe(
            "bos", ["name=tiny", "store.words=20", *TINY_OVERRIDES, "words.limit=40", "words.held_out=0.1"]
        )
        run = folder / "run"
        resume = (run / "checkpoint.safetensors").is_file()
        model = train(SpellingRun(recipe, run, folder / "tiny.vec", resume=resume, show_progress=False))
        assert model is not None
        model.form_encoder.tables["unit"].values.tofile(folder / "learnt")


save_vec, save_npy = SaveTable(".vec"), SaveTable(".npy")
save_model, save_adapted, save_record = SaveModel(), SaveAdapted(), SaveRecord()
save_bertram, save_robust = SaveBertram(), SaveRobust()
encode, find_contexts, train_model, embed_texts = Encode(), FindContexts(), Train(), EmbedFiles()
align_tables, search_texts, train_tagger = Align(), Search(), TrainTagger()
