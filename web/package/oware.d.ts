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
  /** Seeds that the mover will get minus those that the opponent will; absent if bounds differ. */
  value?: number;
  low: number;
  high: number;
}

/** A move with what it is worth to the mover. */
export interface ScoredMove extends Partial<Value> {
  move: string;
  captured: number;
  board: number[];
}

/** The document of `oware query --json`; the guide lists all fields. */
export interface Query extends Value {
  rules: Rules;
  board: number[];
  seeds: number;
  moves: ScoredMove[];
  best: string[];
  line: string[];
  [field: string]: unknown;
}

/** A document that the guide describes. */
export type Document = Record<string, any>;

/** Tables, and what answers from them. */
export class Oware {
  constructor(options?: Options);

  /** What a position is worth, its moves, and a line of best play. */
  query(
    board: Board,
    options?: { rules?: Rules; line?: number; scores_only?: boolean; explain?: boolean },
  ): Promise<Query>;
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
    lines: (Board | number[])[],
    options?: { rules?: Rules; line?: number; scores_only?: boolean },
  ): Promise<(Query | { error: { kind: string; message: string } })[]>;
  /** What the engine makes of a position, in `time` milliseconds at most; `signal` ends it. */
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
   * Uses the tables that `tables.json` in a directory at an address lists, as `oware page` and
   * `oware tables` write it; what a question needs of them is fetched. Returns their names.
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
