// What the sources of vectors mean, in words.

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
