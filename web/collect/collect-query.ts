import { query } from '../data/api.ts';

/** What a collect link shows, with one's own photos. */
export const collectQuery = (token: string) => query('/api/collect/:token', { params: { token } });
