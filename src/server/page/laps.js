// The games beside Oware as they are sown: every seed of a move, lap by lap. The server says what a
// move leads to; this says how it comes there.

/** Seeds in a move at most, in case that it goes round for ever, which the rules forbid. */
const LONGEST = 5000;

/** A move on its way: the houses, the mover's first, and a picture after every seed. */
class Sowing {
  constructor(counts, owners) {
    Object.assign(this, { counts: [...counts], owners, gains: [0, 0], frames: [], at: 0 });
  }

  show() {
    this.frames.push({ counts: [...this.counts], gains: [...this.gains], at: this.at });
  }

  /** Takes up all seeds of a house. */
  take(house) {
    const hand = this.counts[house];
    this.counts[house] = 0;
    return hand;
  }

  /** Puts a seed into a house. */
  drop(house) {
    this.counts[house] += 1;
    this.at = house;
    this.show();
  }

  get isLong() {
    return this.frames.length > LONGEST;
  }
}

/** Bao of the children: the own store is sown, the house of origin is not. */
function withStores(sowing, origin) {
  const ROW = 8;
  let hand = sowing.take(origin);
  let at = origin;
  while (hand > 0) {
    at = (at + 1) % (2 * ROW + 1);
    if (at === origin) continue;
    hand -= 1;
    if (at === ROW) {
      sowing.gains[0] += 1;
      sowing.show();
    } else sowing.drop(at > ROW ? at - 1 : at);
  }
  if (at < ROW && sowing.counts[at] === 1) captureOpposite(sowing, at);
}

/** What is opposite of an own house goes to the mover. */
function captureOpposite(sowing, at) {
  sowing.gains[0] += sowing.take(sowing.counts.length - 1 - at);
  sowing.show();
}

/** Bao of Kenya: lap by lap, until a seed falls into an empty house. */
function withLaps(sowing, origin) {
  const round = sowing.counts.length;
  let at = origin;
  do {
    for (let hand = sowing.take(at); hand > 0; hand -= 1) {
      at = (at + 1) % round;
      sowing.drop(at);
    }
  } while (sowing.counts[at] > 1 && !sowing.isLong);
  if (at < round / 2) captureOpposite(sowing, at);
}

/** Oware Nam Nam: whatever comes to four leaves the board at once. */
function withFours(sowing, origin) {
  const { counts, gains, owners } = sowing;
  let left = counts.reduce((sum, count) => sum + count, 0);
  let at = origin;
  do {
    for (let hand = sowing.take(at); hand > 0 && left > 0; ) {
      at = (at + 1) % counts.length;
      hand -= 1;
      sowing.drop(at);
      if (counts[at] !== 4) continue;
      const taken = left === 8 ? 8 : 4;
      counts[at] = 0;
      left -= taken;
      gains[hand === 0 || owners[at] === "m" ? 0 : 1] += taken;
      sowing.show();
    }
  } while (left > 0 && counts[at] > 1 && !sowing.isLong);
  if (left === 0) counts.fill(0);
  sowing.show();
}

/** Bao la Kujifunza: round the own loop, captured kete from an end of the own front row. */
function withCaptives(sowing, origin, isClockwise) {
  const { counts } = sowing;
  const round = counts.length / 2;
  const columns = round / 2;
  const facing = (shimo) => round + columns - 1 - shimo;
  let step = isClockwise ? 1 : round - 1;
  const sow = (from, hand) => {
    let at = from;
    for (let left = hand; left > 0; left -= 1) {
      at = (at + step) % round;
      sowing.drop(at);
    }
    return at;
  };
  const faces = (shimo) => shimo < columns && counts[facing(shimo)] > 0;
  const first = (origin + step * counts[origin]) % round;
  const isMtaji = counts[origin] < round && counts[first] > 0 && faces(first);
  let last = sow(origin, sowing.take(origin));
  while (counts[last] > 1 && !sowing.isLong) {
    if (!isMtaji || !faces(last)) {
      last = sow(last, sowing.take(last));
      continue;
    }
    const hand = sowing.take(facing(last));
    if (counts.slice(round, round + columns).every((count) => count === 0)) {
      counts[last] += hand;
      return sowing.show();
    }
    const outer = Math.min(2, Math.floor(columns / 2));
    if (last < outer) step = 1;
    else if (last >= columns - outer) step = round - 1;
    last = sow(step === 1 ? round - 1 : columns, hand);
  }
  return null;
}

/** A move of a game beside Oware seed by seed: `board` and `owners` are the mover's first, `label`
 * is the server's. */
export function frames(rules, board, label, owners) {
  const sowing = new Sowing(board, owners);
  if (label === "-") return [];
  if (rules.startsWith("bao-kujifunza"))
    withCaptives(sowing, Number.parseInt(label, 10), label.endsWith("+"));
  else {
    const origin = label.charCodeAt(0) - "A".charCodeAt(0);
    const sow = { "bao-stores": withStores, "nam-nam": withFours }[rules] ?? withLaps;
    sow(sowing, origin);
  }
  return sowing.frames;
}
