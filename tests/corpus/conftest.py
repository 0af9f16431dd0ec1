from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture
def _own_ray(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A Ray of one's own. It leaves a token in its home and remembers it, so all tests of a process share the home."""
    import ray

    home = tmp_path_factory.getbasetemp() / "ray-home"
    home.mkdir(exist_ok=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_gcs_server_port_wait_time_s", "120")  # a busy machine needs its time
    yield
    ray.shutdown()
