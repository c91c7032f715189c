// Games as records: written with what the page knows of them, and handed to the reader.

import { REMARK } from "./comments.js";
import { isSlip, slipText } from "./record.js";

/** Moves with their numbers, South's to the left; `first` is the ply that they begin at. */
function written(moves, { first, startsNorth, note }) {
  return moves.map((move, index) => {
    const ply = first + index + (startsNorth ? 1 : 0);
    const number = `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? "." : "..."}`;
    const numbered = ply % 2 === 0 || index === 0 || note?.(index - 1) ? `${number} ` : "";
    const comment = note?.(index);
    return numbered + move + (comment ? ` {${comment}}` : "");
  });
}

function result(ending) {
  if (!ending) return "*";
  if (ending.margin === 0) return "1/2-1/2";
  return ending.margin > 0 ? "1-0" : "0-1";
}

/** What stands between the braces of a comment cannot have one itself. */
const plain = (text) => text.replace(/[{}]/g, "").replace(/\s+/g, " ").trim();

/** What is said of the move `index`: what the record said, and what it gives away. */
function remark(analysis, comments, index) {
  const move = analysis.moves[index];
  const kept = comments.get(index + 1);
  const slip = move && isSlip(move) ? REMARK + slipText(move) : null;
  return [kept, slip].filter(Boolean).map(plain).join("} {");
}

/** A game in OGN: the comments of the record that it came from and what was given away, other
 * continuations in brackets. */
export function ogn({ rules, start, analysis, variations, tags = [], comments = new Map() }) {
  const startsNorth = analysis.positions[0].to_move === "north";
  const outcome = result(analysis.ending);
  const kept = tags.filter(({ name }) => !/^(variant|fen|result)$/i.test(name));
  const heads = [...kept, { name: "Variant", value: rules }, { name: "FEN", value: start }];
  heads.push({ name: "Result", value: outcome });
  const note = (index) => remark(analysis, comments, index);
  const moves = analysis.moves.map(({ move }) => move);
  const body = written(moves, { first: 0, startsNorth, note }).map((text, index) => {
    const others = variations.filter(({ at, moves: other }) => at === index && other.length > 0);
    const aside = others.map(
      ({ moves: other }) => `(${written(other, { first: index, startsNorth }).join(" ")})`,
    );
    return [text, ...aside].join(" ");
  });
  const escaped = (value) => value.replace(/[\\"]/g, "\\$&").replace(/\s+/g, " ");
  const lines = heads.map(({ name, value }) => `[${name} "${escaped(value)}"]`);
  const first = comments.has(0) ? [`{${plain(comments.get(0))}}`] : [];
  return `${lines.join("\n")}\n\n${wrapped([...first, ...body, outcome].join(" "))}\n`;
}

/** Lines of at most 80 characters, as far as the words allow. */
function wrapped(text) {
  return text.replace(/(?=\S)(.{1,79})(?:\s|$)/g, "$1\n").trimEnd();
}

/** Hands a text to the reader as a file. */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Puts a text where the reader can paste it from; tells whether that was possible. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}

/** Calls `take` with the text of a file that is dropped on the page. */
export function onDrop(take) {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const text = file ? await file.text() : event.dataTransfer?.getData("text");
    if (text) take(text);
  });
}
