export interface Clock {
  /** The present moment; stored and compared in UTC. */
  now(): Date;
}
