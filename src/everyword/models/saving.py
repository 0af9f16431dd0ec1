"""How a model is saved: to a folder, or to the hub."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from everyword.models.model import Model


class SaveMethods:
    """The methods of a model that write it."""

    def save_pretrained(self, folder: str | Path) -> None:
        """Save the model to a folder that `everyword.load` reads.

        Args:
            folder: The folder; a model that it holds already is replaced once the new one is complete.
        """
        from everyword.models.saved.write import write_model

        write_model(cast("Model", self), Path(folder))

    def push_to_hub(self, repo_id: str, *, private: bool = False, token: str | None = None) -> str:
        """Upload the model to the Hugging Face hub; needs the extra `hub`.

        Args:
            repo_id: The repository, such as "user/model".
            private: Create a private repository if there is none yet.
            token: An access token; by default the one of `huggingface-cli login`.

        Returns:
            The address of the repository.
        """
        from everyword.models.saved.hub import push

        return push(cast("Model", self), repo_id, private=private, token=token)
