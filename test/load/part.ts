import type { Random } from '../faults/scenario.ts';

/** A part of the load test. */
export interface LoadTest {
  /** The name for `npm run load -- --only`. */
  name: string;
  /** Throws if the shop broke a guarantee that no measured value covers. */
  run(how: LoadTestSize & { random: Random }): Promise<LoadTestResult>;
}
export interface LoadTestSize {
  /** The fraction of the full work, at most 1. */
  share: number;
  /** Duration of the mixed work. */
  minutes: number;
}

export interface LoadTestResult {
  /** A summary of the work, with its figures. */
  done: string;
  figures: MeasuredFigure[];
  /** Error messages that users saw during the run. */
  words: string[];
}

/** A measured value, and its limit in the same unit. */
export interface MeasuredFigure {
  name: string;
  value: number;
  unit: string;
  is: 'exactly' | 'at most' | 'at least';
  limit: number;
}

export const isWithinLimit = ({ value, is, limit }: MeasuredFigure): boolean =>
  is === 'exactly' ? value === limit : is === 'at most' ? value <= limit : value >= limit;

/** A figure that is a count. */
export const createCountFigure = (name: string, value: number, limit: number): MeasuredFigure => ({
  name,
  value,
  unit: '',
  is: 'exactly',
  limit,
});
