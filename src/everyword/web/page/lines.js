// The lines of a file that was chosen here, as many as one request may have.

const LONGEST_NAME = 200;

// Marks at the beginning of files in UTF-16; without one, what is not UTF-8 is taken for Latin-1.
const MARKS = { "255,254": "utf-16le", "254,255": "utf-16be" };

function decoded(bytes, cut) {
  const marked = MARKS[bytes.slice(0, 2).join()];
  if (marked) return { text: new TextDecoder(marked).decode(bytes), encoding: marked.slice(0, 6).toUpperCase() };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut }), encoding: null };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "Latin-1" };
  }
}

// As many lines as the service takes at once, in texts and in bytes.
function fitting(lines, { texts, body_bytes: bytes, text_length: longest }) {
  const kept = [];
  let size = 1000; // for all that is not text
  for (const line of lines.slice(0, texts).map((one) => [...one].slice(0, longest).join(""))) {
    size += new TextEncoder().encode(JSON.stringify(line)).length + 1;
    if (size > bytes) break;
    kept.push(line);
  }
  return kept;
}

// Only the beginning of a long file is read: more would not fit into a request.
export async function linesOf(file, limits) {
  const cut = file.size > limits.body_bytes, name = file.name.slice(0, LONGEST_NAME);
  const bytes = new Uint8Array(await file.slice(0, limits.body_bytes).arrayBuffer());
  const { text, encoding } = decoded(bytes, cut);
  if (text.includes("\0")) throw new Error(`${name} is not a text file; choose one with a text per line.`);
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim()).filter(Boolean);
  if (cut && lines.length > 1) lines.pop(); // the last one may be half a line
  if (!lines.length) throw new Error(`${name} has no text.`);
  const texts = fitting(lines, limits);
  return { name, texts, encoding, partial: cut || texts.length < lines.length };
}
