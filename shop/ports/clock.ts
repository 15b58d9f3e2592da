export interface Clock {
  /** The present moment; stored and compared in UTC. */
  now(): Date;
}

/** Whole seconds that are left before a moment. */
export const secondsUntil = (clock: Clock, moment: Date): number =>
  Math.floor((moment.getTime() - clock.now().getTime()) / 1000);
