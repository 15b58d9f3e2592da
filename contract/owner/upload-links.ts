import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';

const id = z.object({ id: z.string().max(64) });

export const ownerUploadLinks = {
  'GET /api/admin/customers/:id/upload-links': {
    summary: 'List the valid upload links of a customer, oldest first',
    who: 'admin',
    area: 'support',
    params: id,
    response: z.array(
      z.object({
        id: z.string(),
        createdAt: z.iso.datetime(),
        expiresAt: z.iso.datetime(),
      }),
    ),
    refusals: ['not-found'],
  },
  'POST /api/admin/customers/:id/generate-upload-link': {
    summary:
      'Create an upload link for a customer, and email the customer another one unless the owner does not want it',
    who: 'admin',
    area: 'support',
    params: id,
    /** `tellCustomer`: whether the customer gets the email. True if it is left out. */
    body: z.object({ tellCustomer: z.boolean().optional() }).nullish(),
    response: z.object({
      /** Returned only once, because only its hash is stored. */
      uploadUrl: z.string(),
      /** The time until the link expires, as a text. */
      expiresIn: z.string(),
      expiresAt: z.iso.datetime(),
    }),
    refusals: ['not-found'],
  },
  'DELETE /api/admin/customers/:id/upload-links': {
    summary: 'End all upload links of a customer',
    who: 'admin',
    area: 'support',
    params: id,
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: ['not-found'],
  },
} satisfies Operations;
