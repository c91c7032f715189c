/** A position: twelve houses from the mover's left, or any other form that `oware query` reads. */
export type Board = string;

/** A sheet of rules, as `abapa` or `awari`. */
export type Rules = string;

/** What a question is refused with. */
export class OwareError extends Error {
  kind: "usage" | "missing_table" | "corrupt_table" | "io";
  /** The status that HTTP has for it. */
  status: number;
}

/** Where the library runs. */
export interface Options {
  /** In a worker (the default where there are any), in the one at an address, or on this thread. */
  worker?: boolean | string | URL;
}

/** The value of a position to the mover, or the bounds of it where that is all that is proved. */
export interface Value {
  low: number;
  high: number;
  /** Whether they are equal. */
  exact: boolean;
  /** Seeds that the mover will get minus those that the opponent will; null if bounds differ. */
  value: number | null;
}

/** A move with what it is worth to the mover. */
export interface ScoredMove extends Value {
  house: string;
  captured: number;
  /** The houses after it, the next player's first. */
  board: number[];
  /** Whether continuing with the moves of the tables secures `low`. */
  certified: boolean;
  /** The largest score that the table of the position after it distinguishes, if it is clamped. */
  range?: number;
}

/** The document of `oware query --json --scores-only`, of Oware. */
export interface Score extends Value {
  board: number[];
  seeds: number;
  /** Seeds captured so far, if the position includes them. */
  stores?: { mover: number; opponent: number };
  /** The largest score that the table distinguishes, if it is clamped. */
  range?: number;
  outcome?: "win" | "draw" | "loss" | "undecided";
  undecided_because?: string;
  [field: string]: unknown;
}

/** The document of `oware query --json`, of Oware; the guide describes the fields. */
export interface Query extends Score {
  moves: ScoredMove[];
  /** What the mover gets of the seeds left minus what the opponent gets, if the game is over. */
  final?: number;
  best: string[];
  line: string[];
  line_end: "game_over" | "limit" | "cycle";
  cycle_after?: number;
  until_capture: number | null;
  distance: number | null;
  explanation?: string;
}

/** What a position of a batch is refused with. */
export interface Refused {
  error: { kind: string; message: string };
}

/** A position of a batch. */
export type BatchLine =
  | Board
  | number[]
  | { board: Board | number[]; stores?: { mover: number; opponent: number } };

/** A document that the guide describes. */
export type Document = Record<string, any>;

/** Tables, and what answers from them. */
export class Oware {
  constructor(options?: Options);

  /** What a position is worth, its moves, and a line of best play. */
  query(
    board: Board,
    options?: { rules?: Rules; line?: number; scores_only?: false; explain?: boolean },
  ): Promise<Query>;
  query(board: Board, options: { rules?: Rules; scores_only: true }): Promise<Score>;
  /** The legal moves of a position, without tables. */
  moves(board: Board, options?: { rules?: Rules }): Promise<Document>;
  /** A line of best play with every position on it. */
  line(board: Board, options?: { rules?: Rules; limit?: number }): Promise<Document>;
  /** A game, letters one after the other, with its scores and judgements. */
  game(board: Board, moves: string, options?: { rules?: Rules }): Promise<Document>;
  /** Figures of layers. */
  stats(options?: { rules?: Rules; seeds?: number; layer?: number }): Promise<Document>;
  /** Recorded games in OGN or the plain form, judged. */
  verify(record: string, options?: { rules?: Rules }): Promise<Document>;
  /** Many positions: the answers in the same order, errors among them. */
  batch(
    lines: BatchLine[],
    options?: { rules?: Rules; line?: number; scores_only?: false },
  ): Promise<(Query | Refused)[]>;
  batch(
    lines: BatchLine[],
    options: { rules?: Rules; scores_only: true },
  ): Promise<(Score | Refused)[]>;
  /** What the engine makes of a position, in `time` milliseconds at most; `signal` ends it in a worker. */
  search(
    board: Board,
    options?: {
      rules?: Rules;
      moves?: string;
      depth?: number;
      time?: number;
      every_move?: boolean;
      /** From 1 to 5: how well it chooses. A lower level draws among the moves, by `seed`. */
      level?: number;
      seed?: number;
      signal?: AbortSignal;
    },
  ): Promise<Document>;

  /** Builds the layers of a sheet to so many seeds, as far as they are not built yet. */
  build(rules: Rules, seeds: number, report?: (progress: { seeds: number }) => void): Promise<void>;
  /** Puts a file of a table there, as `oware build` writes it, under its name. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Uses the tables that `tables.json` in a directory at an address lists, as `oware page`
   * writes it; what a question needs of them is fetched. Returns their names.
   */
  connect(url: string | URL): Promise<string[]>;
  /** The file of a table that is there. */
  file(name: string): Promise<Uint8Array | undefined>;
  /** The names of the files that are there. */
  names(): Promise<string[]>;

  /** Answers a question of the HTTP API, as `/v1/query?board=…`. */
  ask(
    path: string,
    options?: { method?: "GET" | "POST"; body?: string; signal?: AbortSignal },
  ): Promise<{ status: number; text: string }>;
  /** Ends everything; what was asked for is refused. */
  close(): void;
}
