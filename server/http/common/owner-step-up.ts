import type { FastifyRequest } from 'fastify';
import type { PasskeyAnswer } from '#contract/account-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import type { OwnerSignInMethod } from '#contract/owner/security.ts';
import { recordAuditEntry } from '#shop/audit/audit.ts';
import { countOwnersSignature, readOwnersSignature } from '#shop/owner-passkeys/owner-passkeys.ts';
import type { Db } from '#shop/ports/database.ts';
import { readSecondFactor } from '#shop/second-factor/second-factor.ts';
import { getAuditAuthor, personOf } from './by.ts';
import type { HttpScope } from './http-scope.ts';
import { checkOwnersPassword, spendOwnersCode } from './owner-attempts.ts';
import { createPanelPeople } from './panel-people.ts';

/**
 * Checks that the signed-in person proves their identity again. Passwords and codes are counted, and wrong attempts are
 * recorded in the audit trail.
 */
export function createOwnerStepUp({ shop, jar }: Pick<HttpScope, 'shop' | 'jar'>) {
  const { db, clock } = shop;
  const { passwordHolder, codeHolder } = createPanelPeople(shop);
  const recordProofFailure = (request: FastifyRequest, way: OwnerSignInMethod) =>
    recordAuditEntry(db, clock, { act: 'admin-proof-failed', after: { way }, ...getAuditAuthor(request) });
  return {
    expectPassword: async (request: FastifyRequest, password: string): Promise<void> => {
      const holder = await passwordHolder(personOf(request));
      if (await checkOwnersPassword({ ...shop, jar }, request, holder, password)) return;
      await recordProofFailure(request, 'password');
      throw new Refusal('password-wrong');
    },
    /** Accepts each correct code only once. */
    expectCode: async (request: FastifyRequest, code: string | undefined): Promise<void> => {
      const holder = await codeHolder(personOf(request));
      if (!(await readSecondFactor(db, holder.id))) throw new Refusal('second-factor-off');
      if (code !== undefined && (await spendOwnersCode(shop, request, holder, code))) return;
      await recordProofFailure(request, 'password-and-code');
      throw new Refusal('code-wrong');
    },
    /**
     * Runs the action that needs the proof. The action calls `use` in its transaction, which marks the signature as
     * used. A failed signature is recorded after that transaction is rolled back.
     */
    withPasskey: async <T>(
      request: FastifyRequest,
      answer: PasskeyAnswer,
      act: (use: (tx: Db) => Promise<void>) => Promise<T>,
    ): Promise<T> => {
      const verifiedSignature = await readOwnersSignature(db, shop, answer);
      try {
        return await act(async (tx) => {
          const isOwnPasskey = verifiedSignature?.passkey.account === personOf(request).id;
          if (!verifiedSignature || !isOwnPasskey || !(await countOwnersSignature(tx, shop, verifiedSignature)))
            throw new Refusal('passkey-wrong');
        });
      } catch (error) {
        if (error instanceof Refusal && error.code === 'passkey-wrong') await recordProofFailure(request, 'passkey');
        throw error;
      }
    },
  };
}
