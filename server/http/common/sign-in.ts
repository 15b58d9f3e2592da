import type { FastifyReply, FastifyRequest } from 'fastify';
import { lifetimes } from '#contract/limits.ts';
import { signOut, type Customer, type Session } from '#shop/accounts/accounts.ts';
import { rememberBrowser } from '#shop/accounts/known-browsers.ts';
import { recordDeviceName } from '#shop/accounts/sessions.ts';
import { queueMail } from '#shop/mail/mail.ts';
import type { HttpScope } from './http-scope.ts';
import { describeDevice } from './device-text.ts';

/** Functions that give a browser a new session and end its earlier session. */
export function createBrowserSignIn({ shop, jar }: Pick<HttpScope, 'shop' | 'jar'>) {
  const { db, clock } = shop;
  async function endPresentedSession(request: FastifyRequest): Promise<void> {
    const presentedToken = jar.read(request, 'sid');
    if (presentedToken !== undefined) await signOut(db, presentedToken);
  }
  async function addSession(
    request: FastifyRequest,
    reply: FastifyReply,
    { id, email, firstName }: Customer,
    { token, maxAgeSeconds }: Session,
  ) {
    await endPresentedSession(request);
    const device = describeDevice(request.headers['user-agent']);
    await recordDeviceName(db, token, device);
    const browserToken = await rememberBrowser(db, clock, {
      account: id,
      presentedToken: jar.read(request, 'browser'),
      sessionToken: token,
      onNew: (tx, browserId) =>
        queueMail(tx, shop, {
          event: `new-sign-in:${id}:${browserId}`,
          to: email,
          content: {
            kind: 'new-sign-in',
            firstName,
            happenedAt: clock.now().toISOString(),
            device: device ?? 'Not known',
            endUrl: { link: 'end-sign-in', subjectId: browserId },
          },
        }),
    });
    jar.set(reply, 'browser', browserToken, knownBrowserSeconds);
    jar.set(reply, 'sid', token, maxAgeSeconds);
  }
  return { endPresentedSession, remember: addSession };
}

export const knownBrowserSeconds = lifetimes.knownBrowserDays * 86_400;
