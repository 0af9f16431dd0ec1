from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from evaluation.test_scoreboard import result
from made import toy_model

from everyword import registry
from everyword.errors import InputError, MissingExtraError, UnknownNameError
from everyword.evaluation.results import Result
from everyword.models.forward.base import ForwardPass
from everyword.models.model import Model
from everyword.space.projection import METHODS, principal_plane, project
from everyword.studies.plots.attention import weights_of
from everyword.studies.plots.augmentation import AUGMENTATIONS, read_squares
from everyword.studies.plots.curves import SENTENCES, _apart, draw_curves
from everyword.studies.plots.distances import STUDENT, TEACHER, distances, draw_distances
from everyword.studies.plots.labels import ALL_LABELLED, label_points, shared_areas
from everyword.studies.plots.maps import CLASSES, MISSPELLINGS, draw_clusters, read_pairs
from everyword.studies.plots.picture import STYLE, Frame, picture, readable
from everyword.studies.plots.points import Panel, Point, panels_of_noise, panels_of_sentences, read_panels
from everyword.systems.spelling.encoders.base import masked_softmax, positional_weights

SIZE, DIM = 60, 12
IDS = [2, 17, 9, 9, 41, 3, 1]


def encoder_and_forward(name: str) -> tuple[torch.nn.Module, ForwardPass]:
    torch.manual_seed(4)
    kind = registry.encoders.get(name)
    encoder = kind(SIZE, DIM, kind.Config(initial_scale=1.0)).eval()
    return encoder, registry.forward_passes.get(name)(encoder.fold(), encoder.runtime_config())


def test_the_principal_plane_by_hand() -> None:
    # Four points on a cross in the plane z = 5: the long arm is the first component, the short one the second.
    cross = np.array([[13.0, 20, 5], [7, 20, 5], [10, 21, 5], [10, 19, 5]])

    points, shares = principal_plane(cross)

    np.testing.assert_allclose(np.abs(points), [[3, 0], [3, 0], [0, 1], [0, 1]], atol=1e-12)
    np.testing.assert_allclose(points.sum(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(shares, [0.9, 0.1])


def test_the_principal_plane_is_that_of_the_covariance() -> None:
    vectors = np.random.default_rng(1).normal(size=(40, 7)) * np.arange(1, 8)
    variances = np.linalg.eigvalsh(np.cov(vectors.T))[::-1]

    points, shares = principal_plane(vectors)

    np.testing.assert_allclose(points.var(axis=0, ddof=1), variances[:2])
    np.testing.assert_allclose(shares, variances[:2] / variances.sum())
    np.testing.assert_allclose(principal_plane(-vectors)[0], points, atol=1e-9)  # a mirror changes no picture


@pytest.mark.parametrize("vectors", [np.ones((3, 4)), np.ones((2, 1)), np.array([[1.0], [2.0]]), np.eye(2)])
def test_a_plane_for_few_dimensions_and_equal_vectors(vectors: np.ndarray) -> None:
    points, shares = principal_plane(vectors)

    assert points.shape == (len(vectors), 2)
    assert np.isfinite(points).all()
    assert 0 <= shares.sum() <= 1 + 1e-9


@pytest.mark.parametrize("name", list(registry.forward_passes))
def test_weights_are_shares_or_not_there(name: str) -> None:
    _, forward = encoder_and_forward(name)

    positional, attention = forward.positional_weights(len(IDS)), forward.attention_weights(IDS)

    assert (positional is not None) == name.startswith("pam")
    assert (attention is not None) == (name in ("pam-stacked.v1", "pam-parallel.v1", "self-attention.v1"))
    for square in (positional, attention):
        if square is not None:
            assert square.shape == (len(IDS), len(IDS))
            np.testing.assert_allclose(square.sum(axis=1), 1, rtol=1e-5)


@pytest.mark.parametrize("name", ["pam-stacked.v1", "pam-parallel.v1"])
def test_weights_agree_with_the_torch_encoder(name: str) -> None:
    encoder, forward = encoder_and_forward(name)
    ids = torch.tensor([IDS])
    present = ids != 0
    with torch.no_grad():
        units = encoder.units(ids)
        kernel = positional_weights(present, DIM, "root4")
        if name == "pam-stacked.v1":
            local = kernel @ encoder.local(units)
            scores = encoder.query(local) @ encoder.key(local).transpose(1, 2) / encoder.config.attention**0.5
        else:
            query, key = encoder.query(units).relu(), encoder.key(units).relu()
            scores = query @ key.transpose(1, 2) / encoder.config.attention**0.25
        expected = masked_softmax(scores, present)

    np.testing.assert_allclose(forward.positional_weights(len(IDS)), kernel[0], rtol=1e-5)
    np.testing.assert_allclose(forward.attention_weights(IDS), expected[0], rtol=1e-4, atol=1e-6)
    assert not np.allclose(expected, 1 / len(IDS), atol=1e-3)  # else the comparison would say little


def test_units_and_weights_of_a_word(tiny_model: Model) -> None:
    units, weights = weights_of(tiny_model, "Daner0")

    assert units[:8] == ["[CLS]", "d", "a", "n", "e", "r", "[UNK]", "[SUB]"]
    assert list(weights) == ["positional kernel", "self-attention"]
    assert all(square.shape == (len(units), len(units)) for square in weights.values())
    with pytest.raises(InputError, match="knows no character of '東京'"):
        weights_of(tiny_model, "東京")
    with pytest.raises(InputError, match="at most 60 are shown"):
        weights_of(tiny_model, "dan" * 40)


def test_words_of_our_own() -> None:
    classes = [name for _, name in CLASSES]
    assert {name: classes.count(name) for name in classes} == {"chemical": 6, "illness": 6, "occupation": 6}
    assert all(wrong != right for wrong, right in MISSPELLINGS)


def test_couples(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    path.write_text("word\tcategory\n# a remark\ncat\tanimal\tmore\ncat\tanimal\n\nfir\ttree\n")
    assert read_pairs(path, "words and classes") == [("cat", "animal"), ("fir", "tree")]
    path.write_text("cat\n")
    with pytest.raises(InputError, match=r"words.tsv:1: needs word and class with a tab between them. Got 'cat'"):
        read_pairs(path, "words and classes")
    path.write_text("wrong\tright\n")
    with pytest.raises(InputError, match="is empty; a list of misspellings was expected"):
        read_pairs(path, "misspellings")
    with pytest.raises(InputError, match="There is no list of words"):
        read_pairs(tmp_path / "none.tsv", "words and classes")


@pytest.mark.parametrize(("count", "all_named"), [(ALL_LABELLED, True), (300, False)])
def test_names_without_room_are_left_out_where_there_are_many(tmp_path: Path, count: int, all_named: bool) -> None:
    points = np.random.default_rng(0).normal(size=(count, 2)) * 0.05
    with picture(Frame(tmp_path / "x.svg"), title="", caption="", size=(3, 3)) as figure:
        figure.subplots().scatter(points[:, 0], points[:, 1])
        written = label_points(figure, points, ["a long name"] * count, ["black"] * count)
    assert (written == count) == all_named
    assert written > 0


def test_names_do_not_overlap_where_there_is_room(tmp_path: Path) -> None:
    points = np.array([[0.0, 0], [0.02, 0.01], [1, 1], [0.98, 1], [0, 1], [1, 0]])
    with picture(Frame(tmp_path / "x.svg"), title="", caption="", size=(6, 6)) as figure:
        axes = figure.subplots()
        axes.margins(0.2)
        axes.scatter(points[:, 0], points[:, 1])
        label_points(figure, points, ["some name"] * 6, ["black"] * 6)
        figure.draw_without_rendering()
        boxes = np.array([text.get_window_extent().extents for text in axes.texts])
    assert len(boxes) == 6
    assert (shared_areas(boxes, boxes)[~np.eye(6, dtype=bool)] < 1).all()


def test_labels_that_no_page_can_hold() -> None:
    assert readable("a\x00\ud800b") == "a\ufffd\ufffdb"
    assert readable("x" * 40) == "x" * 31 + "…"
    assert readable("x" * 40, 40) == "x" * 40


def test_the_style_does_not_leak(tmp_path: Path) -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    draw_clusters(
        toy_model({"cat": [1, 0], "dog": [0.9, 0.1]}), [("cat", "a"), ("dog", "a")], Frame(tmp_path / "x.png")
    )
    assert dict(matplotlib.rcParams) == before
    assert any(before[name] != value for name, value in STYLE.items())


def test_a_failed_drawing_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), picture(Frame(tmp_path / "x.png"), title="", caption="", size=(2, 2)):
        raise ZeroDivisionError
    assert not list(tmp_path.iterdir())


def test_points_from_json_and_tsv(tmp_path: Path) -> None:
    record, rows = tmp_path / "a.json", tmp_path / "b.tsv"
    record.write_text(
        '{"noise": "typos, %", "score": "F1", "points": [{"series": "a", "strength": 0, "score": 9, "n": 4},'
        ' {"series": "a", "strength": 5, "score": 8}]}'
    )
    rows.write_text("series\tstrength\tscore\tspread\nb\t10\t8.5\t0.5\nb\t20\t8\t\n")

    points = [Point("a", 0, 9, None, 4), Point("a", 5, 8), Point("b", 10, 8.5, 0.5), Point("b", 20, 8)]
    assert read_panels([record, rows]) == [Panel(points, x_label="typos, %", y_label="F1")]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "[]", "There are no points to draw in"),
        ("a.json", "{", "cannot be read as JSON"),
        ("a.json", "{}", "must hold a list of points"),
        ("a.json", "3", "must hold a list of points"),
        ("a.json", "[3]", "point 1 needs series, strength, score"),
        ("a.json", '[{"series": "a", "strength": 0}]', "point 1 needs series, strength, score"),
        ("a.json", '[{"series": "a", "strength": "x", "score": 1}]', "must hold numbers"),
        ("a.json", '[{"series": "a", "strength": NaN, "score": 1}]', "must hold finite numbers"),
        ("a.json", '[{"series": "a", "strength": 0, "score": 1, "spread": -1}]', "must hold finite numbers"),
        ("a.json", '{"schema": 1}', "is not a saved result"),
        ("a.tsv", "series\tscore\na\t1\n", "the first line must name the columns series, strength, score"),
        ("a.tsv", "series\tstrength\tscore\na\t1\n", "point 1 needs series, strength, score"),
        ("a.tsv", "series\tstrength\tscore\na\t1\t2\na\t1\t3\n", "The series 'a' has two scores at 1"),
        ("a.tsv", "series\tstrength\tscore\na\t1\t2\n", "The series 'a' has a single point, but a curve needs two"),
        ("a.tsv", "", "is empty; a list of points was expected"),
        ("a.tsv", "# nothing\n", "the first line must name the columns"),
    ],
)
def test_points_that_cannot_be_read(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        read_panels([tmp_path / name])


def kept(policy: str, data: str, strength: float, value: float, **other: object) -> Result:
    noise = {"corruption": "typo" if strength else None, "strength": strength}
    made = result("love", "similarity", data, value)
    return replace(made, policy=policy, spread={"score": 3.0} if strength else {}, **{**noise, **other})


def test_curves_of_results_are_means_over_the_data_sets_that_all_ways_have() -> None:
    [panel] = panels_of_noise(
        [
            kept("zero", "rareword", 0, 40),
            kept("zero", "rareword", 50, 20),
            kept("zero", "simlex999", 0, 60),
            kept("zero", "simlex999", 50, 30),
            kept("zero", "simlex999", 90, 10),  # rareword lacks it
            kept("zero", "men3000", 50, 99),  # the other way lacks it
            kept("zero", "crw_dev", 50, 99),  # part of rareword
            kept("infer", "rareword", 0, 38),
            kept("infer", "rareword", 50, 36),
            kept("infer", "simlex999", 0, 38),
            kept("infer", "simlex999", 50, 36),
            kept("infer", "crw_dev", 50, 99),
            kept("mean", "rareword", 0, 12),  # only clean: no curve
            result("love", "clustering", "ap", 12),
        ]
    )

    spread = pytest.approx(math.sqrt(18) / 2)
    assert list(panel.points) == [
        Point("love 01234567, zero", 0, 50, None, 20),
        Point("love 01234567, zero", 50, 25, spread, 20),
        Point("love 01234567, infer", 0, 38, None, 20),
        Point("love 01234567, infer", 50, 36, spread, 20),
    ]
    assert (panel.title, panel.x_label) == ("similarity, mean of 2 data sets, typo", "words with a typo, %")


def test_each_task_and_corruption_has_a_panel() -> None:
    steps = [kept("zero", "rareword", strength, 9, corruption=kind) for kind in ("ocr", "typo") for strength in (5, 9)]
    panels = panels_of_noise([*steps, *(replace(step, task="clustering", data="ap") for step in steps)])

    assert [panel.title for panel in panels] == [
        "clustering, ap, typo",
        "clustering, ap, ocr",
        "similarity, rareword, typo",
        "similarity, rareword, ocr",
    ]
    with pytest.raises(InputError, match="have no data set of similarity under typo in common"):
        panels_of_noise([kept("zero", "rareword", 5, 9), kept("infer", "simlex999", 5, 9)])
    with pytest.raises(InputError, match="run 'everyword evaluate' with --corruption first"):
        panels_of_noise([kept("zero", "rareword", 0, 9)])


def study(tmp_path: Path, *variants: tuple[str, dict[str, float | None], dict[str, float]]) -> Path:
    path = tmp_path / "study.json"
    record = {"study": "mine", "variants": [{"label": a, "ours": b, "paper": c} for a, b, c in variants]}
    path.write_text(json.dumps(record))
    return path


def test_an_augmentation_alone_is_on_the_diagonal_and_two_are_above_it(tmp_path: Path) -> None:
    path = study(
        tmp_path,
        ("all", {"sst2": 80}, {}),
        ("drop", {"sst2": 70}, {"sst2": 76.8}),
        ("synonym + swap", {"sst2": 71}, {}),
        ("keyboard and drop", {"sst2": None}, {"sst2": 77}),
    )

    name, [ours, paper] = read_squares(path)

    assert (name, ours.title, paper.title) == ("mine", "sst2, ours", "sst2, paper")
    assert ours.others == {"all": 80}
    drop, swap, keyboard, synonym = map(AUGMENTATIONS.index, ("drop", "swap", "keyboard", "synonym"))
    found = {tuple(cell): ours.scores[tuple(cell)] for cell in np.argwhere(~np.isnan(ours.scores)).tolist()}
    assert found == {(drop, drop): 70, (swap, synonym): 71}
    assert paper.scores[drop, keyboard] == 77


@pytest.mark.parametrize(
    "text", ["[]", "{", "3", "{}", '{"study": "x", "variants": [{"label": "y"}]}', '{"schema": 1}']
)
def test_what_is_no_kept_study_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(InputError, match=r"a\.json is not the result of a study"):
        read_squares(tmp_path / "a.json")


def test_a_study_of_something_else_has_no_squares(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no scores of augmentations: its variants must be named swap, drop"):
        read_squares(study(tmp_path, ("CNN", {"sst2": 80}, {}), ("swap", {"sst2": None}, {})))


FEW_GROUPS = np.repeat(np.eye(3, 8), 6, axis=0) + np.random.default_rng(2).normal(0, 0.05, (18, 8))


@pytest.mark.parametrize("method", ["pca", "tsne", pytest.param("umap", marks=pytest.mark.slow)])
def test_every_method_is_the_same_each_time_and_keeps_groups_together(method: str) -> None:
    plane = project(FEW_GROUPS, method)

    assert plane.points.shape == (18, 2)
    np.testing.assert_array_equal(plane.points, project(FEW_GROUPS, method).points)
    distances = np.linalg.norm(plane.points[:, None] - plane.points[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    assert (distances.argmin(axis=1) // 6 == np.arange(18) // 6).all()
    assert {"pca", "tsne", "umap"} == set(METHODS)


def test_umap_is_asked_for_the_same_plane_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    # The real one compiles for half a minute when it is imported; see the slow test above.
    asked: dict[str, object] = {}

    class Umap:
        def __init__(self, **options: object) -> None:
            asked.update(options)

        def fit_transform(self, vectors: np.ndarray) -> np.ndarray:
            return vectors[:, :2].astype(np.float32)

    monkeypatch.setitem(sys.modules, "umap", SimpleNamespace(UMAP=Umap))
    plane = project(FEW_GROUPS, "umap")

    assert (asked["random_state"], asked["n_jobs"], asked["n_neighbors"]) == (0, 1, 5)
    assert plane.points.dtype == np.float64
    assert "UMAP by cosine, 5 neighbours, seed 0" in plane.caption


def test_a_method_needs_a_name_that_exists_and_words_enough() -> None:
    with pytest.raises(UnknownNameError, match="There is no projection 'tsn': did you mean 'tsne'"):
        project(FEW_GROUPS, "tsn")
    for method in ("tsne", "umap"):
        with pytest.raises(InputError, match=r"needs 5 or more words\. Got 4; give more, or choose pca"):
            project(FEW_GROUPS[:4], method)


@pytest.mark.parametrize(("method", "package"), [("tsne", "scikit-learn"), ("umap", "umap-learn")])
def test_a_missing_package_has_its_remedy(monkeypatch: pytest.MonkeyPatch, method: str, package: str) -> None:
    def absent(module: str) -> None:
        raise ModuleNotFoundError(name=module.partition(".")[0])

    monkeypatch.setattr("everyword.extras.importlib.import_module", absent)
    with pytest.raises(MissingExtraError, match=f"needs the package {package}: run  pip install"):
        project(FEW_GROUPS, method)


def test_names_are_pushed_apart_as_little_as_possible() -> None:
    assert _apart([1.0, 20.0], 5) == [1.0, 20.0]
    heights = sorted(np.random.default_rng(3).uniform(0, 60, size=12).tolist())
    moved = _apart(heights, 10)
    assert min(np.diff(moved)) >= 10 - 1e-9
    assert np.mean(moved) == pytest.approx(np.mean(heights))


def test_scores_by_sentences_are_drawn_for_each_task(tmp_path: Path) -> None:
    by_count = {"spearman": 3.0, "spearman@1": 1.0, "spearman@64": 3.0}
    kept = [
        replace(result(model, "context-similarity", "crw", 3), main="spearman", scores=by_count, spread={})
        for model in ("a", "b")
    ]
    panels = panels_of_sentences([*kept, result("a", "similarity", "rareword", 3)])
    draw_curves(panels, Frame(tmp_path / "contexts.svg"), title=SENTENCES)
    drawn = (tmp_path / "contexts.svg").read_text(encoding="utf-8")

    assert "What sentences reveal about a rare word" in drawn
    assert "context-similarity/crw" in drawn
    with pytest.raises(InputError, match="have no score by number of sentences"):
        panels_of_sentences([result("a", "similarity", "rareword", 3)])


def test_the_five_distances_are_those_of_the_losses(tmp_path: Path) -> None:
    one, other = (torch.tensor([end]) for end in (TEACHER, STUDENT))
    found = distances(TEACHER, STUDENT)
    for drawn, name in zip(found.values(), ("manhattan", "euclidean", "squared", "maximum"), strict=False):
        assert drawn == pytest.approx(float(registry.losses.get(name)(one, other)), abs=1e-5)
    assert 1 + found["cosine, Dcos"] == pytest.approx(float(registry.losses.get("cosine")(one, other)), abs=1e-5)
    draw_distances(Frame(tmp_path / "distances.svg"))
    picture = (tmp_path / "distances.svg").read_text(encoding="utf-8")
    assert all(name in picture for name in found)
