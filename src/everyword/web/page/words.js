// The words of a text, as a person would count them. What holds no letter at all is one word: it has an answer too.

export function wordsOf(text) {
  const trimmed = text.trim();
  if (!trimmed) return [];
  return trimmed.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’\-]*/gu) ?? [trimmed];
}

export const SOURCES = {
  known: "Stored with the model: this is the vector it learnt.",
  retrieved: "Not stored. Mostly a blend of known words with a similar spelling.",
  inferred: "Not stored. Mostly made from its own spelling.",
  composed: "Not stored as a whole. Made from the vectors of its parts.",
  number: "A number: made from words for its value and its kind.",
  symbol: "A symbol: made from words for what it shows and means.",
  transliterated: "A word in another script, read in Latin letters.",
  none: "Nothing is known about it, so it has no vector.",
};
