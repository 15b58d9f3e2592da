import * as z from 'zod';
import * as forms from './support-forms.ts';
import type { Operations } from './operation.ts';

export const support = {
  'POST /api/support-tickets': {
    summary: 'Open a support ticket',
    who: 'anyone',
    body: forms.SupportBody,
    response: z.object({ ticket: z.object({ ticketNumber: z.string() }) }),
    refusals: ['honeypot-filled'],
    rate: 'support',
  },
} satisfies Operations;
