/** A piece of work as a trace tells it: by kept words alone, never for whom it is done or what is in it. */
export interface Work {
  name: string;
  kind: 'server' | 'consumer' | 'client' | 'internal';
  facts?: Facts;
  /** What it is a part of; unless said, of the work under way. */
  of?: 'nothing' | { carried: string };
}
export type Facts = Record<string, string | number | boolean>;

export interface Piece {
  /** Whatever is begun within, and within what follows from it, is a part of this piece. */
  run<T>(it: () => T): T;
  /** `error` is told by its kind alone. */
  end(how?: { facts?: Facts; error?: unknown }): void;
}

/** What takes how long, over all processes. */
export interface Tracing {
  begin(work: Work): Piece;
  isUnderWay(): boolean;
  /** The work under way, as it is told to another process; undefined where there is none. */
  carried(): string | undefined;
  /** Resolves when what keeps the traces has answered. */
  check(): Promise<void>;
  /** Sends what is left, for a moment. */
  close(): Promise<void>;
}
