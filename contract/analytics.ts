import * as z from 'zod';
import type { Operations } from './operation.ts';

export const analytics = {
  'POST /api/page-views': {
    summary: 'Count a page view',
    who: 'anyone',
    body: z.object({
      pagePath: z.string().min(1).max(500).startsWith('/'),
      referrer: z.string().max(1000).nullable(),
      userAgent: z.string().max(500),
    }),
    response: z.object({ success: z.boolean() }),
    rate: 'page-view',
  },
} satisfies Operations;
