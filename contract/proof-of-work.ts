import * as z from 'zod';
import { proofOfWorkLimits } from './limits.ts';
import type { Operations } from './operation.ts';
import { proofOfWorkHeader } from './proof-of-work-header.ts';

const limitNames = Object.keys(proofOfWorkLimits) as (keyof typeof proofOfWorkLimits)[];

/** ALTCHA's challenge, version 2. */
export const WorkChallenge = z
  .object({
    parameters: z.object({
      algorithm: z.string(),
      cost: z.int(),
      data: z.record(z.string(), z.string()),
      expiresAt: z.int(),
      keyLength: z.int(),
      keyPrefix: z.string(),
      keySignature: z.string(),
      nonce: z.string(),
      salt: z.string(),
    }),
    signature: z.string(),
  })
  .meta({ id: 'WorkChallenge' });
export type WorkChallenge = z.infer<typeof WorkChallenge>;

export const proofOfWork = {
  'GET /api/proof-of-work': {
    summary: `Create a challenge (ALTCHA, version 2) for a call over a limit; ${proofOfWorkHeader} takes the solution`,
    who: 'anyone',
    query: z.object({ kind: z.enum(limitNames) }),
    response: WorkChallenge,
  },
} satisfies Operations;
