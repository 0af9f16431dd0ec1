"""`everyword serve` as people run it: another process, real connections, signals."""

from __future__ import annotations

import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep

import httpx2
import pytest
from click.testing import CliRunner

from everyword.cli import main
from everyword.errors import InputError
from everyword.models.load import embedded_models
from everyword.web.model_store import ModelStore
from everyword.web.server import is_loopback, serve
from everyword.web.settings import Settings

from .running import PATIENCE, as_a_command

SLOW = {"words": [f"grustnes{letter}" for letter in "abcdefghijklmnop"], "k": 100}
"""A question that takes the embedded models some hundred milliseconds."""


def test_a_stop_finishes_what_was_accepted() -> None:
    with as_a_command() as (process, address), ThreadPoolExecutor() as pool:
        answer = pool.submit(httpx2.post, f"{address}/v1/compare", json=SLOW, timeout=PATIENCE)
        deadline = monotonic() + PATIENCE
        while "everyword_unfinished_requests 0" in httpx2.get(f"{address}/metrics").text and monotonic() < deadline:
            sleep(0.01)
        process.send_signal(signal.SIGTERM)
        assert len(answer.result().json()["models"]) == len(embedded_models())
        process.wait(PATIENCE)
        with pytest.raises(httpx2.ConnectError):
            httpx2.get(f"{address}/health")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_it_without_noise(tiny_model_folder: Path, workers: str) -> None:
    with as_a_command("--model", str(tiny_model_folder), "--workers", workers) as (process, address):
        assert httpx2.post(f"{address}/v1/encode", json={"words": ["dan"]}).status_code == 200
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in said
    assert process.returncode == 0


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_file_is_searched(tiny_model_folder: Path, workers: str, tmp_path: Path) -> None:
    corpus = tmp_path / "texts.jsonl"
    corpus.write_text('{"title": "ban dan"}\n{"title": "grelo"}\n', encoding="utf-8")
    options = ("--model", str(tiny_model_folder), "--workers", workers, "--corpus", str(corpus), "--column", "title")
    with as_a_command(*options) as (_, address):
        answer = httpx2.post(f"{address}/search", json={"query": "grello", "k": 1}).json()
    assert [(near["index"], near["text"]) for near in answer["results"][0]["found"]] == [(1, "grelo")]


def test_files_that_cannot_be_searched(tmp_path: Path) -> None:
    (tmp_path / "texts.jsonl").write_text('{"title": "ban"}\n', encoding="utf-8")
    (tmp_path / "empty.txt").touch()
    for given, said in (
        (("--corpus", str(tmp_path / "none.txt")), "none.txt"),
        (("--corpus", str(tmp_path / "empty.txt")), "holds no texts"),
        (("--corpus", str(tmp_path / "texts.jsonl"), "--column", "titel"), "titel"),
        (("--column", "title"), "column needs a corpus"),
    ):
        done = CliRunner().invoke(main, ["serve", "--model", "everyword-en-small", "--port", "0", *given])
        assert done.exit_code != 0
        assert said in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_table_is_served_beside_the_models(tiny_model_folder: Path, workers: str, tmp_path: Path) -> None:
    table = tmp_path / "pets.txt"
    table.write_text("cat 1 0\ndog 0 1\n", encoding="utf-8")
    with as_a_command("--model", str(tiny_model_folder), "--workers", workers, "--table", str(table)) as (_, address):
        answer = httpx2.post(f"{address}/v1/tables", json={"text": "cat", "other": "dog"}).json()
    assert [(found["name"], found["words"]) for found in answer["tables"]][1:] == [("pets.txt", 2)]


def test_files_that_are_no_tables(tmp_path: Path) -> None:
    broken = tmp_path / "broken.txt"
    broken.write_text("cat 1 0\ndog\n", encoding="utf-8")
    for given in (broken, tmp_path / "none.txt"):
        for workers in ("1", "2"):
            options = [
                "serve",
                "--model",
                "everyword-en-small",
                "--port",
                "0",
                "--workers",
                workers,
                "--table",
                str(given),
            ]
            done = CliRunner().invoke(main, options)
            assert done.exit_code != 0
            assert given.name in done.stderr
            assert "Traceback" not in done.stderr


@pytest.mark.parametrize("workers", [1, 2])
def test_an_address_that_is_taken(tiny_model_folder: Path, workers: int) -> None:
    settings = Settings((str(tiny_model_folder),))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"cannot listen at 127.0.0.1 port {port}: .*; choose another --host"):
            serve(settings, "127.0.0.1", port, workers, ready=print)


def test_who_can_reach_an_address() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.1.2", "example.org")))


def test_two_models_of_one_name(tiny_model_folder: Path) -> None:
    with pytest.raises(InputError, match="Two of the models are called 'tiny'"):
        ModelStore.load([str(tiny_model_folder)] * 2)
