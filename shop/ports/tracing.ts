/** A span of a trace. It contains only allowed terms, never the content of the work or the person it is for. */
export interface SpanOptions {
  name: string;
  kind: 'server' | 'consumer' | 'client' | 'internal';
  facts?: TraceAttributes;
  /** The parent span. The default is the current one. */
  of?: 'nothing' | { carried: string };
}
export type TraceAttributes = Record<string, string | number | boolean>;

export interface TraceSpan {
  /** Spans that begin during `it`, and in the calls that follow from it, become children of this span. */
  run<T>(it: () => T): T;
  /** Ends the span. Only the kind of `error` is recorded. The error of a response is its status. */
  end(how?: { facts?: TraceAttributes; error?: unknown }): void;
}

/** Measures how long work takes, across all processes. */
export interface Tracing {
  begin(work: SpanOptions): TraceSpan;
  isUnderWay(): boolean;
  /** The current span in a form that can be passed to another process; undefined if there is none. */
  traceHeadersToSend(): string | undefined;
  /** Resolves when the collector of the traces has responded. */
  check(): Promise<void>;
  /** Sends the remaining spans, for a limited time. */
  close(): Promise<void>;
}
