from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner
from tiny import tiny_table

from everyword.cli import main
from everyword.errors import ConfigError, InputError
from everyword.studies.config import load_study, published_studies
from everyword.studies.kinds.tables.run import TableJob, run_tables
from everyword.studies.kinds.tables.study import TableStudy, TableVariant
from everyword.vectors.table import VectorTable


def table_study(name: str) -> TableStudy:
    study = load_study(name)
    assert isinstance(study, TableStudy)
    return study


@pytest.mark.parametrize("name", [*published_studies("tables")])
def test_every_command_of_a_published_study_is_one_that_the_shell_takes(name: str) -> None:
    study = table_study(name)

    assert len({table.file for table in study.variants}) == len(study.variants)
    given = {key: [key] for key in ("encoder", "corpus", "parser", "prepared", "work", "device", "output")}
    for table in study.variants:
        if table.contextual:
            continue
        command = table.command(given, settings=study.full)
        assert command is not None
        assert not any(word.startswith("@") for word in command)
        # Every command is one that the shell takes, with options that it knows.
        with main.make_context("everyword", [command[0], "--help"], resilient_parsing=True):
            pass
        assert "output" in command


def test_a_command_is_filled_in_or_left_out() -> None:
    table = TableVariant(
        label="A table, mine", make="extract @encoder @corpus --words @prepared/words.tsv --template '{}'"
    )

    assert table.file == "a-table-mine.npy"
    assert table.command({"encoder": ["bert"], "corpus": ["a", "b"], "prepared": ["p"]}) == [
        *("extract", "bert", "--corpus", "a", "--corpus", "b", "--words", "p/words.tsv", "--template", "{}"),
    ]
    assert table.command({"encoder": ["bert"], "corpus": [], "prepared": ["p"]}) is None


def test_a_size_fills_in_its_settings() -> None:
    table = TableVariant(label="words", make="train static cbow @cbow dim=5 @sentences --output @output")
    small = {"sentences": (), "cbow": ("epochs=2", "window=3")}

    assert table.at_size(small) == "train static cbow epochs=2 window=3 dim=5 --output @output"
    assert table.command({"output": ["o.npy"]}, settings=small) == [
        *("train", "static", "cbow", "epochs=2", "window=3", "dim=5", "--output", "o.npy"),
    ]
    study = replace(table_study("dynamic-static"), small=small, full={"cbow": ()})
    assert any("both sizes must have the same names" in problem for problem in study.problems())
    assert study.settings_of("small") == ("cbow.epochs=2", "cbow.window=3")
    assert "sentences.limit=186000" in table_study("dynamic-static").settings_of("small")


def test_a_row_that_no_claim_is_about_may_have_fewer_seeds() -> None:
    study = table_study("dynamic-static")
    rows = {one.label: one for one in study.variants}
    assert study.seeds_of(rows["as published, window 8"]) == 1
    assert study.seeds_of(rows["as published, window 1"]) == 3
    wrong = replace(study, variants=(*study.variants[:-1], replace(study.variants[-1], seeds=1)))
    assert any("a row that claims are about needs all seeds" in problem for problem in wrong.problems())


def test_taggers_read_the_tables_of_dynamic_static() -> None:
    study, tables = table_study("dynamic-static-tags"), table_study("dynamic-static")
    made = {one.label: one.make for one in tables.variants}
    assert {one.label: one.make for one in study.variants if not one.contextual}.items() <= made.items()
    assert (study.small, study.full) == (tables.small, tables.full)


def test_studies_of_dynamic_static_share_the_tables_of_the_first_encoder() -> None:
    study, tables = table_study("dynamic-static-encoders"), table_study("dynamic-static")
    made = {one.label: one.make for one in tables.variants}
    assert {one.label: one.make for one in study.variants if one.encoder == 1}.items() <= made.items()
    assert study.small.items() <= tables.small.items()
    assert study.full.items() <= tables.full.items()


def test_a_row_names_one_of_the_encoders_of_its_study() -> None:
    study = table_study("dynamic-static-encoders")
    wrong = replace(study, variants=(*study.variants[:-1], replace(study.variants[-1], encoder=4)))
    assert "'causal model: contextual skip-gram' reads encoder 4, but encoders has 3" in [*wrong.problems()]


def test_each_encoder_reads_a_corpus_of_its_own(tiny_bert_folder: Path, tmp_path: Path) -> None:
    asked = []

    def make(command: list[str]) -> None:
        asked.append(command[:3])
        tiny_table().save(Path(command[3]))

    (tmp_path / "text.txt").write_text("the older cat walked on the mat in the city of its owner\n" * 9)
    make_of = "average @encoder @prepared @output"
    rows = (
        TableVariant(label="first", make=make_of),
        TableVariant(label="second", make=make_of, encoder=2),
        TableVariant(label="third", make=make_of, encoder=3),
    )
    study = replace(table_study("dynamic-static-encoders"), variants=rows, claims=(), neighbours=())
    study = replace(study, columns=("similarity/wordsim353",), small={})
    encoder, reported = str(tiny_bert_folder), list[str]()
    job = TableJob(
        study=study,
        work=tmp_path / "work",
        data=similarity_data(tmp_path / "data"),
        results=tmp_path,
        run_command=make,
        encoder=(encoder, encoder),
        corpus=(tmp_path / "text.txt",),
        report=reported.append,
    )
    found = run_tables(job)
    work = tmp_path / "work"
    assert asked == [["average", encoder, str(work / "prepared")], ["average", encoder, str(work / "prepared-2")]]
    assert found.rows["third"] == {"similarity/wordsim353": None}
    assert "third: skipped, because --encoder, --corpus or --parser is missing." in reported

    with pytest.raises(InputError, match=r"at most 3 times, for .* a causal language model\. Got 4"):
        run_tables(replace(job, encoder=(encoder,) * 4))


def test_a_row_is_made_by_a_command_or_read_in_context() -> None:
    assert [*TableVariant(label="table", make="train @output").problems()] == []
    assert [*TableVariant(label="encoder", contextual=True).problems()] == []
    layered = TableVariant(label="layered", make="train @output", layer="middle")
    assert any("reads a layer of its own" in problem for problem in layered.problems())
    for wrong in (TableVariant(label="neither"), TableVariant(label="both", make="train @output", contextual=True)):
        assert any("must be made by a command, or else be contextual" in problem for problem in wrong.problems())


def test_all_rows_of_dynamic_static_see_the_same_sentences() -> None:
    for variant in table_study("dynamic-static").variants:
        trained = variant.make.startswith("train")
        assert not trained or "--prepared @prepared" in variant.make, variant.label
        # The syntax of dependency contexts is not in a prepared corpus; its words and sentences are.
        assert "@corpus" not in variant.make or variant.label == "dependency contexts"


def test_no_accuracy_stands_beside_a_correlation_of_the_paper() -> None:
    """The paper's SemEval-2012 is Spearman's correlation with gold ratings; ours is an accuracy."""
    for variant in table_study("dynamic-static").variants:
        assert "relation/semeval2012" not in variant.paper


def similarity_data(folder: Path) -> Path:
    (folder / "similarity").mkdir(parents=True)
    lines = ["word1\tword2\tscore", "cat\tdog\t9", "cat\tcity\t2", "dog\tmat\t1", "city\tmat\t5"]
    (folder / "similarity" / "wordsim353.tsv").write_text("\n".join(lines) + "\n")
    return folder


def test_tables_at_hand_are_judged_and_the_others_not_tested(tmp_path: Path) -> None:
    study = replace(table_study("dynamic-static"), seeds=1)
    work, reported = tmp_path / "work", []
    work.mkdir()
    good = np.array([[1, 0.1], [1, 0.2], [0.1, 1], [0.4, 1]], dtype=np.float32)
    for label, matrix in (("contextual skip-gram", good), ("CBOW", good[::-1]), ("GloVe", -good[[0, 2, 1, 3]])):
        file = next(table.file for table in study.variants if table.label == label)
        VectorTable(["cat", "dog", "city", "mat"], matrix).save(work / file)
    data, results = similarity_data(tmp_path / "data"), tmp_path / "results"
    found = run_tables(
        TableJob(study=study, work=work, data=data, results=results, run_command=print, report=reported.append)
    )

    verdicts = {one.claim.on: one.verdict for one in found.judgements}
    assert set(verdicts.values()) == {"not tested"}
    assert found.rows["skip-gram"]["similarity/wordsim353"] is None
    score = found.rows["contextual skip-gram"]["similarity/wordsim353"]
    assert score is not None
    assert score.value > 50
    assert any("similarity/rareword: skipped. " in line for line in reported)


def test_scores_of_seeds_are_kept_and_tables_need_not_be(tmp_path: Path) -> None:
    study = table_study("dynamic-static")
    asked = []
    variants = (
        TableVariant(label="drawn", make="train @output seed=@seed @work/other@run.txt"),
        TableVariant(label="fixed", make="extract @output"),
        TableVariant(label="once", make="train @output seed=@seed", seeds=1),
    )
    one = ("similarity/wordsim353",)
    study = replace(study, columns=one, variants=variants, claims=(), seeds=3, neighbours=("cat", "unknown"))

    def make(command: list[str]) -> None:
        asked.append(command)
        noise = np.random.default_rng(len(asked)).normal(size=(4, 2))
        VectorTable(["cat", "dog", "city", "mat"], noise.astype(np.float32)).save(Path(command[1]))

    job = TableJob(
        study=study, work=tmp_path / "work", data=similarity_data(tmp_path / "data"), results=tmp_path, run_command=make
    )
    first = run_tables(job)
    assert [[Path(word).name for word in command] for command in asked] == [
        ["train", "drawn.npy", "seed=0", "other.txt"],
        ["extract", "fixed.npy"],
        ["train", "once.npy", "seed=0"],
        ["train", "drawn-1.npy", "seed=1", "other-1.txt"],
        ["train", "drawn-2.npy", "seed=2", "other-2.txt"],
    ]
    drawn, fixed = (first.rows[label]["similarity/wordsim353"] for label in ("drawn", "fixed"))
    assert drawn is not None
    assert fixed is not None
    assert (drawn.seeds, drawn.n, fixed.seeds, fixed.spread) == (3, 4, None, None)
    assert drawn.spread == pytest.approx(np.std(drawn.runs))

    assert first.details is not None
    nearest = first.details["nearest words"]["fixed"]
    assert sorted(nearest["cat"]) == ["city", "dog", "mat"]
    assert nearest["unknown"] == []

    for table in job.work.glob("*.npy"):
        table.unlink()  # what is scored needs its table no more
    assert run_tables(job).rows == first.rows
    assert len(asked) == 5
    other = replace(study, variants=(replace(variants[1], make="extract @output --pool max"),))
    run_tables(replace(job, study=other))
    assert len(asked) == 6


def test_a_table_of_another_command_is_refused(tmp_path: Path) -> None:
    study = replace(table_study("dynamic-static"), columns=("similarity/wordsim353",), claims=(), neighbours=())

    data = similarity_data(tmp_path / "data")

    def make(command: list[str]) -> None:
        VectorTable(["cat", "dog", "city", "mat"], np.eye(4, 2, dtype=np.float32)).save(Path(command[1]))

    def run(make_by: str, **settings: tuple[str, ...]) -> None:
        variants = (TableVariant(label="words", make=make_by),)
        job = TableJob(
            study=replace(study, variants=variants, small=settings),
            work=tmp_path / "work",
            data=data,
            results=tmp_path,
            run_command=make,
        )
        run_tables(job)

    run("train @output @glove", glove=("epochs=5",))
    run("train @output @glove", glove=("epochs=5",))
    with pytest.raises(InputError, match=r"words\.npy was made by another command \(train @output epochs=5\); choose"):
        run("train @output @glove", glove=("epochs=15",))
    (tmp_path / "work" / "words.npy").unlink()
    run("train @output @glove", glove=("epochs=15",))
    (tmp_path / "work" / "words.command").unlink()  # one that was made elsewhere
    run("train @output --other")


def test_known_pairs_are_a_column_with_a_count_of_their_own(tmp_path: Path) -> None:
    columns = ("similarity/wordsim353", "similarity/wordsim353#spearman_known")
    fixed = (TableVariant(label="fixed", make="extract @output"),)
    study = replace(table_study("dynamic-static"), columns=columns, variants=fixed, claims=(), neighbours=())

    def make(command: list[str]) -> None:
        VectorTable(["cat", "dog", "city"], np.eye(3, 2, dtype=np.float32)).save(Path(command[1]))

    data = similarity_data(tmp_path / "data")
    row = run_tables(TableJob(study=study, work=tmp_path, data=data, results=tmp_path, run_command=make)).rows["fixed"]
    assert [score and score.n for score in row.values()] == [4, 2]


def test_the_command_makes_what_is_missing_and_judges_it(
    tiny_bert_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng, words = Random(2), ("cat", "dog", "city", "mat", "the", "walked", "older", "café", "owner", "on", "in", "a")
    (tmp_path / "text.txt").write_text("\n".join(" ".join(rng.choices(words, k=12)) for _ in range(40)))
    study = table_study("dynamic-static")
    labels = ("CBOW", "bare word", "contextual skip-gram")
    few = tuple(replace(table, paper={}) for table in study.variants if table.label in labels)
    less = replace(study, columns=("similarity/wordsim353",), variants=few, claims=(), seeds=1)
    monkeypatch.setattr("everyword.studies.config.load_study", lambda _: less)
    asked = ["reproduce", "dynamic-static", "--data", str(similarity_data(tmp_path / "data")), "--device", "cpu"]
    asked += ["--work", "work", "--results", "results"]

    nothing = CliRunner().invoke(main, asked)
    assert nothing.exit_code == 0, nothing.output
    assert nothing.stderr.count("skipped, because --encoder, --corpus or --parser is missing") == 3

    done = CliRunner().invoke(main, [*asked, "--encoder", str(tiny_bert_folder), "--corpus", "text.txt"])
    assert done.exit_code == 0, done.output
    assert "everyword train static cbow --prepared work/prepared --output work/cbow.npy --device cpu" in done.stderr
    assert json.loads((tmp_path / "work" / "prepared" / "corpus.json").read_text())["sentences"]["limit"] == 186_000
    assert [path.name for path in (tmp_path / "work" / "prepared").glob("states-*.f16")]
    findings = json.loads((tmp_path / "results" / "dynamic-static.json").read_text())
    assert all(row["ours"]["similarity/wordsim353"] is not None for row in findings["variants"])
    assert "| contextual skip-gram |" in done.stdout

    again = CliRunner().invoke(main, asked)
    assert "skipped" not in again.stderr


def test_a_study_with_mistakes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('name = "bad"\nkind = "tables"\ntitle = ""\nsource = ""\ncolumns = ["a/b"]\nvariants = []\n')
    with pytest.raises(ConfigError, match="there is no benchmark"):
        load_study(str(path))
