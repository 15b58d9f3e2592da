import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/refusals.ts';
import type { OwnerSignInMethod } from '#contract/owner/security.ts';
import { rememberBrowser, ownerId } from '#shop/accounts/known-browsers.ts';
import { beginSession, endSession } from '#shop/accounts/sessions.ts';
import { owner, recordAuditEntry, type PanelPerson } from '#shop/audit/audit.ts';
import { queueMail } from '#shop/mail/mail.ts';
import type { Db } from '#shop/ports/database.ts';
import type { Shop } from '../../shop.ts';
import { rememberPerson } from './by.ts';
import type { CookieJar } from './cookies.ts';
import type { Guards } from './guards.ts';
import { describeDevice } from './device-text.ts';
import { knownBrowserSeconds } from './sign-in.ts';

export type OwnersScope = Pick<Shop, 'db' | 'clock' | 'jobs' | 'ownerEmail'>;

/** Starts or refuses sign-ins to the panel, for all kinds of sign-in, and records them in the audit trail. */
export function createOwnerSignIn({ db, clock, jobs, ownerEmail, jar }: OwnersScope & { jar: CookieJar }) {
  async function endPresentedSession(tx: Db, request: FastifyRequest): Promise<void> {
    const presentedToken = jar.read(request, 'admin-sid');
    if (presentedToken !== undefined) await endSession(tx, presentedToken);
  }
  /** @param subjectId the member of the staff whose sign-in failed; undefined for the owner and unknown people */
  const refuseSignIn = (
    request: FastifyRequest,
    way: OwnerSignInMethod,
    why?: string,
    subjectId?: string,
  ): Promise<void> =>
    recordAuditEntry(db, clock, {
      act: 'admin-sign-in-failed',
      ...(subjectId !== undefined && { subjectId }),
      after: { way, why },
      requestId: request.id,
    });
  return {
    endPresentedSession,
    /** Starts a new session for the browser, and ends its earlier session. */
    admit: async (
      request: FastifyRequest,
      reply: FastifyReply,
      way: OwnerSignInMethod,
      /** Runs in the sign-in's transaction; an error in it cancels the sign-in. */
      first?: (tx: Db) => Promise<void>,
      /** Who signs in. `email` gets the mail about a new browser; the default is the owner's. */
      { person = owner, email }: { person?: PanelPerson; email?: string } = {},
    ): Promise<void> => {
      const isStaff = person.id !== owner.id;
      const device = describeDevice(request.headers['user-agent']);
      const session = await db.transaction(async (tx) => {
        await first?.(tx);
        await endPresentedSession(tx, request);
        await recordAuditEntry(tx, clock, { act: 'admin-sign-in', after: { way }, requestId: request.id, person });
        const sessionOwner = isStaff ? { kind: 'staff' as const, staffId: person.id } : { kind: 'admin' as const };
        return beginSession(tx, clock, { ...sessionOwner, way, device });
      });
      rememberPerson(request, person);
      const mailAddress = email ?? (await ownerEmail());
      const browserToken = await rememberBrowser(db, clock, {
        account: isStaff ? person.id : ownerId,
        isStaff,
        presentedToken: jar.read(request, 'admin-browser'),
        sessionToken: session.token,
        onNew: (tx, browserId) =>
          queueMail(
            tx,
            { jobs, clock },
            {
              event: `owner-new-sign-in:${browserId}`,
              to: mailAddress,
              content: {
                kind: 'owner-new-sign-in',
                happenedAt: clock.now().toISOString(),
                device: device ?? 'Not known',
                endUrl: { link: 'end-sign-in', subjectId: browserId },
              },
            },
          ),
      });
      jar.set(reply, 'admin-browser', browserToken, knownBrowserSeconds);
      jar.set(reply, 'admin-sid', session.token, session.maxAgeSeconds);
    },
    turnAway: refuseSignIn,
    /** Refuses a sign-in from an IP address that is not allowed. Records it first, so that the owner can see it. */
    expectAllowedAddress: async (
      guards: Pick<Guards, 'isAllowedAddress'>,
      request: FastifyRequest,
      way: OwnerSignInMethod,
    ) => {
      if (guards.isAllowedAddress(request)) return;
      await refuseSignIn(request, way, 'address-not-allowed');
      throw new Refusal('address-not-allowed');
    },
  };
}
