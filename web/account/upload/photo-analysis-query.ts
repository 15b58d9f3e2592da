import { query } from '../../data/api.ts';

/** Loads what image analysis sees in a photo, and the motions that suit it. The customer's answers change the motions. */
export const photoAnalysisQuery = (id: string) => query('/api/uploads/:id/seen', { params: { id } });
