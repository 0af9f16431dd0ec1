// A list of words on a plane; misspellings are joined to the words that they stand for.

import { ask } from "./api.js";
import { literal } from "./copies.js";
import { $, wordLink } from "./dom.js";
import { showMap } from "./plane.js";
import { View, fillSelect, report } from "./view.js";

const EXAMPLES = [
  { shown: "typos", words: "hospital, hosptial, docter, doctor, nurse, nurze, guitar, giutar, violin, voilin, consert, concert, Berlin, Berlni, Paris, Madrid" },
  { shown: "names", words: "Shakespeare, Shakspeare, Goethe, Göthe, Dickens, Einstein, Newton, Nweton, Darwin, Mozart, Beethoven, Bach" },
  { shown: "numbers", words: "one, 1, two, 2, ten, 10, hundred, 100, 1000, first, 1st, third, 3rd, million, $5m, 50 %" },
  { shown: "emoji", words: "😡, angry, 😀, happy, ❤️, love, 🐶, dog, 🍕, pizza, ⚽, football" },
  { shown: "foreign", words: "hospital, Krankenhaus, hôpital, school, Schule, école, bread, Brot, pain, dog, Hund, chien" },
  { shown: "phrases", words: "heart attack, stroke, side effect, New York, Los Angeles, San Francisco, ice cream, chocolate, hot dog" },
];

const wordsOf = (list) => list.split(/[,\n;]/).map((word) => word.trim()).filter(Boolean);

const view = new View(["words", "model", "method"], async ({ words: list, model, method }, signal) => {
  const words = wordsOf(list);
  if (!words.length) return null;
  const body = { words, k: 0, method: method || "pca", model };
  const found = await ask("map", body, signal);
  showMap(found, (word) => ({ href: wordLink(word, model) }));
  return {
    status: `${found.points.length} words on the map`,
    copies: { question: "map", body, model, python: ["from everyword.space.projection import project", "", `plane = project(model.encode(${literal(words)}, normalize=True), ${literal(body.method)})`, "print(plane.points)"] },
  };
});

view.start(EXAMPLES, (info) => {
  fillSelect($("#method"), info.projections, info.projections.map((name) => name.toUpperCase()));
  $("#method-choice").hidden = info.projections.length < 2;
}).catch((error) => report(error.message));
