"""Teachers of classifiers: the probabilities that a larger model gives the labels of texts."""

from __future__ import annotations

from pathlib import Path

from everyword.corpus.labelled.documents import Documents, SoftLabels
from everyword.errors import InputError


def soft_labels(teacher: Path, documents: Documents, device: str = "cpu") -> SoftLabels:
    """Return what a teacher says of documents.

    Args:
        teacher: An .npz file of probabilities, or the folder of a fine-tuned transformer that knows the same labels.
        documents: The texts.
        device: Where the transformer runs.
    """
    if not teacher.is_dir():
        return SoftLabels.load(teacher)
    from everyword.language_models.fine_tuning import predict
    from everyword.language_models.heads import load_with_head

    network, tokenizer = load_with_head(teacher, "SequenceClassification", device=device)
    named = {int(number): str(label) for number, label in network.config.id2label.items()}
    labels = tuple(named[number] for number in range(len(named)))
    if unknown := set(documents.known) - set(labels):
        raise InputError(f"The teacher in {teacher} does not know the label {min(unknown)!r} of {documents.name}.")
    return SoftLabels(labels, predict(network, tokenizer, documents.texts))
