import { query } from '../data/api.ts';

/** The customer's frames with their photos and their room. */
export const limitsQuery = () => query('/api/frame-photo-limits', { query: {} });
