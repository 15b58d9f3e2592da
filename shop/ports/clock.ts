export interface Clock {
  /** The current time. Times are stored and compared in UTC. */
  now(): Date;
}

/** Whole seconds from now until the given time. */
export const computeSecondsUntil = (clock: Clock, moment: Date): number =>
  Math.floor((moment.getTime() - clock.now().getTime()) / 1000);
