// Why a house cannot be sown: said when somebody tries.

import { name } from "./position.js";
import { isOver, page, sheet } from "./state.js";
import { texts } from "./texts.js";
import { mustFeed } from "./trace.js";

/** Why `house` cannot be sown in a position. */
export function refusal(house, position) {
  const { toMove, houses } = position;
  const other = texts[toMove === "south" ? "north" : "south"];
  if (page.ahead) return texts.looking;
  if (isOver()) return texts.overVerdict;
  if (house < 6 !== (toMove === "south")) return texts.notYours(name(house), other, texts[toMove]);
  if (houses[house] === 0) return texts.emptyHouse(name(house));
  if (mustFeed(position, sheet())) return texts.wouldStarve(name(house), other);
  return texts.wouldTakeAll(name(house), other);
}
