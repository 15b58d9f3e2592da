import { randomBytes } from 'node:crypto';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { lifetimes, proofOfWorkLimits } from '#contract/limits.ts';
import type { RateLimitName } from '#contract/operation.ts';
import { WorkChallenge } from '#contract/proof-of-work.ts';
import { proofOfWorkHeader } from '#contract/proof-of-work-header.ts';
import { Refusal } from '#contract/refusals.ts';
import { deleteOldRows } from '#shop/delete-old-rows.ts';
import { toNetworkPrefix } from '#shop/networks.ts';
import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import { proofOfWorkKeys, proofsOfWork } from './proof-of-work.sql.ts';
import { createQuietLimitCounter } from './rate-limit.ts';

export type ProofOfWorkLimitName = keyof typeof proofOfWorkLimits;

/**
 * The quiet limit for this rate limit name, if there is one. A call over a quiet limit is not refused, but needs a
 * proof of work.
 */
export const proofOfWorkLimitNameOf = (rate: RateLimitName | undefined): ProofOfWorkLimitName | undefined =>
  rate !== undefined && rate in proofOfWorkLimits ? (rate as ProofOfWorkLimitName) : undefined;

export const proofOfWorkRefusals = ['proof-of-work-needed', 'proof-of-work-refused'] as const;

/** Describes the header with the proof for OpenAPI. Accepts all other headers. */
export const proofOfWorkHeaders = z.looseObject({ [proofOfWorkHeader]: z.string().optional() });

/**
 * About a second of work for a phone: at most `most` key derivations of `cost` rounds each. The server derives one key
 * to create a challenge, and none to check its solution.
 */
const workParameters = { algorithm: 'PBKDF2/SHA-256', cost: 2000, least: 1000, most: 2000 } as const;

const Payload = z.object({
  challenge: WorkChallenge,
  solution: z.object({ counter: z.int().nonnegative(), derivedKey: z.string().max(200) }),
});
/** The most characters of the header with the proof. A valid header has fewer than 1000. */
const maxHeaderCharacters = 4000;

export interface ProofOfWorkChecker {
  /** Creates a challenge for one call of this kind from the request's network. */
  challenge(kind: ProofOfWorkLimitName, request: FastifyRequest): Promise<WorkChallenge>;
  /**
   * Returns a hook that counts calls of this kind by IP address. Up to a limit, calls need no proof. Above it, a call
   * without a correct proof is refused.
   */
  requireProof(kind: ProofOfWorkLimitName): (request: FastifyRequest) => Promise<void>;
}

export function createProofOfWorkChecker(
  app: FastifyInstance,
  { db, clock }: { db: Db; clock: Clock },
): ProofOfWorkChecker {
  let keysPromise: Promise<SigningSecrets> | undefined;
  const loadKeys = (): Promise<SigningSecrets> =>
    (keysPromise ??= readSigningSecrets(db).catch((error: unknown) => {
      keysPromise = undefined;
      throw error;
    }));

  const createProofChallenge: ProofOfWorkChecker['challenge'] = async (kind, request) => {
    const challenge = await createChallenge({
      algorithm: workParameters.algorithm,
      cost: workParameters.cost,
      counter: randomInt(workParameters.most, workParameters.least),
      data: proofDataOf(kind, request),
      deriveKey,
      expiresAt: new Date(clock.now().getTime() + lifetimes.proofOfWorkMinutes * 60_000),
      ...(await loadKeys()),
    });
    return WorkChallenge.parse(challenge);
  };

  const refuseProof = async (
    code: (typeof proofOfWorkRefusals)[number],
    kind: ProofOfWorkLimitName,
    request: FastifyRequest,
  ) => {
    const refusal = new Refusal(code);
    refusal.details = { challenge: await createProofChallenge(kind, request) };
    return refusal;
  };

  return {
    challenge: createProofChallenge,
    requireProof(kind) {
      let isOverLimit: ReturnType<typeof createQuietLimitCounter> | undefined;
      return async (request) => {
        if (!(await (isOverLimit ??= createQuietLimitCounter(app, kind))(request))) return;
        const givenProof = request.headers[proofOfWorkHeader];
        if (givenProof === undefined) throw await refuseProof('proof-of-work-needed', kind, request);
        const payload = parseProofHeader(givenProof);
        if (!payload || !(await isValidProof(payload, kind, request)) || !(await useNonce(db, payload.challenge)))
          throw await refuseProof('proof-of-work-refused', kind, request);
      };
    },
  };

  async function isValidProof({ challenge, solution }: Proof, kind: ProofOfWorkLimitName, request: FastifyRequest) {
    const { data, expiresAt } = challenge.parameters;
    const isProofOfCaller = Object.entries(proofDataOf(kind, request)).every(([key, value]) => data[key] === value);
    if (!isProofOfCaller || expiresAt * 1000 <= clock.now().getTime()) return false;
    const { verified } = await verifySolution({ challenge, solution, deriveKey, ...(await loadKeys()) });
    return verified;
  }
}

/**
 * Data that is signed with the challenge, so that a proof is valid only for this kind of call and from this network.
 */
const proofDataOf = (kind: ProofOfWorkLimitName, { ip }: FastifyRequest) => ({ kind, network: toNetworkPrefix(ip) });

type Proof = z.infer<typeof Payload>;
function parseProofHeader(header: string | string[]): Proof | undefined {
  if (typeof header !== 'string' || header.length > maxHeaderCharacters) return undefined;
  try {
    return Payload.parse(JSON.parse(Buffer.from(header, 'base64').toString()));
  } catch {
    return undefined; // the proof is not valid
  }
}

/** Marks a proof as used. Returns true for only one of several concurrent calls with the same proof. */
async function useNonce(db: Db, { parameters: { nonce, expiresAt } }: WorkChallenge): Promise<boolean> {
  const usedRows = await db
    .insert(proofsOfWork)
    .values({ nonce, endsAt: new Date(expiresAt * 1000) })
    .onConflictDoNothing()
    .returning({ nonce: proofsOfWork.nonce });
  return usedRows.length > 0;
}

interface SigningSecrets {
  hmacSignatureSecret: string;
  hmacKeySignatureSecret: string;
}
/**
 * Reads the secret, and creates it once. If several processes start at the same time, all use the secret that was
 * stored first.
 */
async function readSigningSecrets(db: Db): Promise<SigningSecrets> {
  await db
    .insert(proofOfWorkKeys)
    .values({ secret: randomBytes(32).toString('base64url') })
    .onConflictDoNothing();
  const [row] = await db.select({ secret: proofOfWorkKeys.secret }).from(proofOfWorkKeys);
  // The library needs two secrets, so derive both from the stored one.
  return { hmacSignatureSecret: `challenge:${row!.secret}`, hmacKeySignatureSecret: `solution:${row!.secret}` };
}

/** Deletes used proofs. The retention job keeps them for an hour after they expire, because clocks may differ. */
export const deleteOldProofsOfWork = deleteOldRows(proofsOfWork, proofsOfWork.nonce, proofsOfWork.endsAt);
