import type { FastifyRequest } from 'fastify';
import type { IdentityProof } from '#contract/owner/security.ts';
import { Refusal } from '#contract/refusals.ts';
import { findPanelSession, recordReauthentication, proofMsLeft } from '#shop/accounts/sessions.ts';
import { doWithAuditEntry } from '#shop/audit/audit.ts';
import { readPasskeysOf } from '#shop/owner-passkeys/owner-passkeys.ts';
import type { Db } from '#shop/ports/database.ts';
import { readSecondFactor } from '#shop/second-factor/second-factor.ts';
import { getAuditAuthor, personOf } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { createOwnerStepUp } from '../common/owner-step-up.ts';
import { createPanelPeople, isOwner } from '../common/panel-people.ts';
import { mountOperation } from '../common/serve.ts';

/**
 * The proof is reported as expired this much early. The panel checks it before a download, and the proof must not
 * expire until the download starts.
 */
const minProofMsLeft = 30_000;

/** The calls with which a person of the panel proves their identity again, before calls with `stepUp`. */
export function stepUpHttp({ app, shop, jar }: HttpScope): void {
  const { db, clock, config } = shop;
  const panelPeople = createPanelPeople(shop);
  const { expectPassword, expectCode, withPasskey } = createOwnerStepUp({ shop, jar });

  mountOperation(app, 'GET /api/admin/step-up', async ({ request }) => {
    const session = await findSession(request);
    const person = personOf(request);
    const [factor, passkeys, hasPassword] = await Promise.all([
      readSecondFactor(db, person.id),
      readPasskeysOf(db, person.id),
      panelPeople.hasPassword(person),
    ]);
    const proofs: IdentityProof[] = hasPassword ? ['password'] : [];
    if (factor && (config.asksSecondFactor || !isOwner(person))) proofs.push('code');
    if (passkeys.length > 0) proofs.push('passkey');
    return { isProved: session !== undefined && proofMsLeft(clock, session) > minProofMsLeft, proofs };
  });

  mountOperation(app, 'POST /api/admin/step-up', async ({ body, request }) => {
    const sid = jar.read(request, 'admin-sid');
    // Refuse the admin key: it has no session in which a proof could be stored.
    if (sid === undefined || !(await findSession(request))) throw new Refusal('admin-needed');
    const markAsProven = (by: IdentityProof, use?: (tx: Db) => Promise<void>) =>
      doWithAuditEntry(
        shop,
        async (tx) => {
          await use?.(tx);
          await recordReauthentication(tx, clock, sid);
        },
        () => ({ act: 'admin-proved', subjectId: personOf(request).id, after: { by }, ...getAuditAuthor(request) }),
      );
    const { password, code, answer } = body;
    if (answer !== undefined) await withPasskey(request, answer, (use) => markAsProven('passkey', use));
    else if (password !== undefined) {
      await expectPassword(request, password);
      await markAsProven('password');
    } else {
      await expectCode(request, code);
      await markAsProven('code');
    }
    return { message: 'Thank you.' };
  });

  const findSession = async (request: FastifyRequest) => {
    const sid = jar.read(request, 'admin-sid');
    return sid === undefined ? undefined : findPanelSession(db, clock, sid);
  };
}
