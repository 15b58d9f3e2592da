import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { lifetimes } from '#contract/limits.ts';
import { Refusal, type RefusalName } from '#contract/refusals.ts';
import type { ProvenIdentity, SignInSecrets } from '#shop/ports/owner-identity.ts';
import { issueToken, spendToken } from '#shop/tokens/tokens.ts';
import { ownerCallback } from '../../parts.ts';
import type { Door } from '../door/door.ts';
import { ownersDoor } from '../door/owners-door.ts';
import { rateOf } from '../door/rate-limit.ts';
import { serve } from '../door/serve.ts';

const seconds = lifetimes.ownerSignInMinutes * 60;

/** The owner's sign-in at a provider of their own, and back. */
export function ownerIdentityHttp({ app, shop, jar }: Door): void {
  const { db, clock, config, ownerIdentity } = shop;
  const { admit, turnAway, expectAllowedAddress } = ownersDoor({ db, clock, jar });

  serve(app, 'POST /api/admin/auth/replit', async ({ request, reply }) => {
    await expectAllowedAddress(app.guards, request, 'openid');
    if (!ownerIdentity) throw new Refusal('owner-sign-in-off');
    const token = await issueToken(db, clock, { purpose: 'owner-sign-in', subjectId: 'owner', seconds });
    const invited = await ownerIdentity.invite(secretsOf(token));
    if (invited.state === 'away') {
      await noteFailure(request, invited);
      throw new Refusal('owner-sign-in-away');
    }
    jar.set(reply, 'owner-sign-in', token, seconds);
    return { success: true, redirect: invited.address, message: 'One moment, please.' };
  });

  // A page of the provider's leads here, so it ends on a page of ours.
  app.get(
    ownerCallback,
    { schema: { hide: true }, config: { rateLimit: rateOf('token-validation') } },
    async (request, reply) => {
      await expectAllowedAddress(app.guards, request, 'openid');
      reply.header('referrer-policy', 'no-referrer');
      const proven = await proofIn(request);
      jar.clear(reply, 'owner-sign-in');
      if (proven.state === 'known' && proven.subject === config.ownerOidc?.subject) {
        await admit(request, reply, 'openid');
        shop.live.tell('sessions');
        return reply.redirect('/admin', 303);
      }
      await noteFailure(request, proven.state === 'known' ? { state: 'refused', why: 'another-subject' } : proven);
      const why: RefusalName = proven.state === 'away' ? 'owner-sign-in-away' : 'owner-sign-in-off';
      return reply.redirect(`/admin-login?refused=${why}`, 303);
    },
  );

  /** One answer to each question, from the browser that asked it. */
  async function proofIn(request: FastifyRequest): Promise<ProvenIdentity> {
    const token = jar.read(request, 'owner-sign-in');
    const isOpen = token !== undefined && (await spendToken(db, clock, 'owner-sign-in', token)) !== undefined;
    if (!isOpen || !ownerIdentity) return { state: 'refused', why: 'not-asked' };
    return ownerIdentity.readAnswer(request.url.slice(ownerCallback.length), secretsOf(token));
  }

  async function noteFailure(request: FastifyRequest, { state, why }: { state: 'refused' | 'away'; why: string }) {
    if (state === 'away') request.log.warn({ why }, 'the owner’s provider could not be asked');
    await turnAway(request, 'openid', why);
  }
}

/** Made of the cookie's token alone: nothing of them is kept anywhere. */
const secretsOf = (token: string): SignInSecrets => {
  const made = (what: string) => createHmac('sha256', token).update(what).digest('base64url');
  return { state: made('state'), nonce: made('nonce'), verifier: made('verifier') };
};
