import type { Random } from '../faults/scenario.ts';

/** Something that is much for a shop. */
export interface Part {
  /** What `npm run load -- --only` calls it. */
  name: string;
  /** Throws where a promise was broken that no figure tells of. */
  run(how: Size & { random: Random }): Promise<Measured>;
}
export interface Size {
  /** Of everything there is to do, 1 at most. */
  share: number;
  /** Of mixed work. */
  minutes: number;
}

export interface Measured {
  /** What was done, with its figures. */
  done: string;
  figures: Figure[];
  /** What people read meanwhile instead of a yes. */
  words: string[];
}

/** What was measured, and the limit it is measured against, in the same unit. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  is: 'exactly' | 'at most' | 'at least';
  limit: number;
}

export const isMet = ({ value, is, limit }: Figure): boolean =>
  is === 'exactly' ? value === limit : is === 'at most' ? value <= limit : value >= limit;

/** A count. */
export const exactly = (name: string, value: number, limit: number): Figure => ({
  name,
  value,
  unit: '',
  is: 'exactly',
  limit,
});
