// The match of Nam Nam: who captured four times as many seeds owns that many houses in the next
// round; the leader fills the own row and chooses the others.

import { tell } from "./busy.js";
import { h, renew } from "./dom.js";
import { ownHalves } from "./places.js";
import { texts } from "./texts.js";

const ROW = 6;

/** The choice of the leader's houses. */
export const match = {
  isChoosing: false,
  /** Houses of the other row that the leader has chosen. */
  chosen: new Set(),
  count: 0,
  leader: "south",
  changed: () => {},

  /** Chooses a house, or gives it back. */
  press(place) {
    const isOthers = place < ROW !== (this.leader === "south");
    if (!isOthers) return tell(texts.others.ownRow);
    if (!this.chosen.delete(place) && this.chosen.size < this.count) this.chosen.add(place);
    return this.changed();
  },
};

/** Who owns which house in the next round. */
function owners({ leader, chosen }) {
  const mark = leader === "south" ? "s" : "n";
  return [...ownHalves(ROW)].map((each, place) => (chosen.has(place) ? mark : each)).join("");
}

/** Shows in `root` what the end of a round means for the match; `start` begins the next one. */
export function showMatch(root, { sheet, answer, position, positions, start }) {
  match.isChoosing = false;
  if (sheet.id !== "nam-nam" || answer.moves.length > 0) return renew(root);
  const { south, north } = position.stores;
  if (south + north !== 4 * 2 * ROW) return renew(root);
  const leader = south >= north ? "south" : "north";
  const houses = Math.max(south, north) / 4;
  if (houses === 2 * ROW) return renew(root, h("p", {}, texts.others.matchWon(texts[leader])));
  const count = houses - ROW;
  Object.assign(match, { isChoosing: count > 0, chosen: new Set(), count, leader });
  const begins = positions[0].toMove === "south" ? "north" : "south";
  const next = () => {
    if (match.chosen.size < count) return tell(texts.others.choose(count - match.chosen.size));
    match.isChoosing = false;
    const counts = Array(2 * ROW).fill(4);
    const stores = { south: 0, north: 0 };
    return start({ counts, stores, toMove: begins, owners: owners(match) }, [], 0, true);
  };
  match.changed = () => {
    const text = texts.others.nextRound(texts[leader], houses, 2 * ROW - houses);
    const left = count - match.chosen.size;
    const names = [...match.chosen].map((place) => "ABCDEFabcdef"[place]).join(", ");
    renew(
      root,
      h("p", {}, text),
      count > 0 ? h("p", {}, `${texts.others.choose(left)} ${names}`) : null,
      h("button", { type: "button", class: "chief", onclick: next }, texts.others.begin(texts[begins])),
    );
  };
  return match.changed();
}
