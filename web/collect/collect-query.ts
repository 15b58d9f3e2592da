import { query } from '../data/api.ts';

/** The data of a collect link, including the visitor's own photos. */
export const collectQuery = (token: string) => query('/api/collect/:token', { params: { token } });
