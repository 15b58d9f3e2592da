import type { Random } from '../faults/scenario.ts';

/** A part of the load test. */
export interface LoadTestPart {
  /** The name for `npm run load -- --only`. */
  name: string;
  /** Throws if a promise was broken that no figure covers. */
  run(how: Size & { random: Random }): Promise<Measured>;
}
export interface Size {
  /** The fraction of the full work, at most 1. */
  share: number;
  /** Duration of the mixed work. */
  minutes: number;
}

export interface Measured {
  /** A summary of the work, with its figures. */
  done: string;
  figures: Figure[];
  /** Error messages that users saw during the run. */
  words: string[];
}

/** A measured value, and its limit in the same unit. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  is: 'exactly' | 'at most' | 'at least';
  limit: number;
}

export const isWithinLimit = ({ value, is, limit }: Figure): boolean =>
  is === 'exactly' ? value === limit : is === 'at most' ? value <= limit : value >= limit;

/** A figure that is a count. */
export const countCheck = (name: string, value: number, limit: number): Figure => ({
  name,
  value,
  unit: '',
  is: 'exactly',
  limit,
});
