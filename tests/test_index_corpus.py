"""A little corpus of our own and an encoder without weights, to build real indexes from."""

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from corpora.passage import Passage
from index_builder.fold import fold
from index_builder.manifest import EncoderInfo, SourceInfo

ENCODER = EncoderInfo("hashing", "1", 64)
SOURCE = SourceInfo("tests", "Apache-2.0", "2026-01-01")

TEXTS = {
    "Antonín Dvořák": "The composer of the New World Symphony was born in Nelahozeves.",
    "Lake Baikal": "The deepest lake of the world, in southern Siberia, is 1,642 metres deep.",
    "Mount Kosciuszko": "The highest mountain of mainland Australia reaches 2,228 metres.",
    "Łódź": "A Polish city known for its textile mills and its film school.",
    "C++": "A programming language with classes, templates and (since 2011) lambdas.",
    "To be": "To be, or not to be: that is the question asked by Hamlet.",
    "Москва": "Москва является столицей России.",
    "Octopus": "An octopus has three hearts, eight arms and blue blood.",
    "Basalt": "Basalt is a dark volcanic rock that covers most of the ocean floor.",
    "Photosynthesis": "Plants turn carbon dioxide and water into sugar with the light of the sun.",
}
PASSAGES = [
    Passage(f"tests:{title}:{n}", f"{text} This is copy {n}.", title, source="tests")
    for n in range(4)
    for title, text in TEXTS.items()
]


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    """Bags of hashed words, unit length."""
    out = np.zeros((len(texts), ENCODER.dimension), dtype=np.float32)
    for row, text in zip(out, texts, strict=True):
        for word in fold(text).lower().split():
            row[zlib.crc32(word.strip(".,:;()").encode()) % ENCODER.dimension] += 1
    return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1)
