// Continuations of a game that were left for others: they can be taken up again.

const MOST = 20;

export class Variations {
  /** Begins with some that a link has brought along with a game. */
  constructor(game, asides = []) {
    this.clear();
    for (const { at, moves } of asides.filter(({ at }) => at <= game.moves.length)) {
      this.keep({ ...game, moves: [...game.moves.slice(0, at), ...moves], at });
    }
  }

  clear() {
    this.kept = [];
  }

  /** Keeps what follows in a game, before something else does. */
  keep({ rules, start, moves, at }) {
    if (at >= moves.length) return;
    const key = `${rules} ${start}`;
    const before = moves.slice(0, at).join("");
    const rest = moves.slice(at);
    const isSame = (each) =>
      each.key === key && each.before === before && each.moves[0] === rest[0];
    this.kept = [...this.kept.filter((each) => !isSame(each)), { key, before, at, moves: rest }];
    this.kept = this.kept.slice(-MOST);
  }

  /** Those that begin at a position of a game, in their order, but not what it goes on with. */
  of({ rules, start, moves }) {
    const key = `${rules} ${start}`;
    const text = moves.join("");
    return this.kept
      .filter((each) => each.key === key && text.startsWith(each.before))
      .filter((each) => moves[each.at] !== each.moves[0])
      .sort((one, other) => one.at - other.at);
  }

  /** What to change for a game to go on with a variation; what it went on with is kept. */
  swap(game, { at, moves }) {
    this.keep({ ...game, at });
    return { moves: [...game.moves.slice(0, at), ...moves], at: at + 1 };
  }
}
