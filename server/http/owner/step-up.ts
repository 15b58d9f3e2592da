import type { FastifyRequest } from 'fastify';
import type { IdentityProof } from '#contract/owner/security.ts';
import { Refusal } from '#contract/refusals.ts';
import { adminSession, recordReauthentication, proofMsLeft } from '#shop/accounts/sessions.ts';
import { doWithAuditEntry } from '#shop/audit/audit.ts';
import { ownersPasskeys } from '#shop/owner-passkeys/owner-passkeys.ts';
import type { Db } from '#shop/ports/database.ts';
import { secondFactorOf } from '#shop/second-factor/second-factor.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { createOwnerStepUp } from '../common/owner-step-up.ts';
import { mountOperation } from '../common/serve.ts';

/**
 * The proof is reported as expired this much early. The panel checks it before a download, and the proof must not
 * expire until the download starts.
 */
const spareMs = 30_000;

/** The calls with which the owner proves their identity again, before calls with `stepUp`. */
export function stepUpHttp({ app, shop, jar }: HttpScope): void {
  const { db, clock, config } = shop;
  const { expectPassword, expectCode, withPasskey } = createOwnerStepUp({ shop, jar });

  mountOperation(app, 'GET /api/admin/step-up', async ({ request }) => {
    const session = await sessionOf(request);
    const [factor, passkeys] = await Promise.all([secondFactorOf(db), ownersPasskeys(db)]);
    const proofs: IdentityProof[] = ['password'];
    if (factor && config.asksSecondFactor) proofs.push('code');
    if (passkeys.length > 0) proofs.push('passkey');
    return { isProved: session !== undefined && proofMsLeft(clock, session) > spareMs, proofs };
  });

  mountOperation(app, 'POST /api/admin/step-up', async ({ body, request }) => {
    const sid = jar.read(request, 'admin-sid');
    // Refuse the admin key: it has no session in which a proof could be stored.
    if (sid === undefined || !(await sessionOf(request))) throw new Refusal('admin-needed');
    const mark = (by: IdentityProof, use?: (tx: Db) => Promise<void>) =>
      doWithAuditEntry(
        shop,
        async (tx) => {
          await use?.(tx);
          await recordReauthentication(tx, clock, sid);
        },
        () => ({ act: 'admin-proved', subjectId: 'owner', after: { by }, requestId: request.id }),
      );
    const { password, code, answer } = body;
    if (answer !== undefined) await withPasskey(request, answer, (use) => mark('passkey', use));
    else if (password !== undefined) {
      await expectPassword(request, password);
      await mark('password');
    } else {
      await expectCode(request, code);
      await mark('code');
    }
    return { message: 'Thank you.' };
  });

  const sessionOf = async (request: FastifyRequest) => {
    const sid = jar.read(request, 'admin-sid');
    return sid === undefined ? undefined : adminSession(db, clock, sid);
  };
}
