import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { lifetimes } from '#contract/limits.ts';
import { Refusal, type RefusalName } from '#contract/refusals.ts';
import type { ProvenIdentity, SignInSecrets } from '#shop/ports/owner-identity.ts';
import { issueToken, spendToken } from '#shop/tokens/tokens.ts';
import { ownerSignInCallbackPath } from '../../adapters.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { createOwnerSignIn } from '../common/owner-sign-in.ts';
import { createRateLimitOptions } from '../common/rate-limit.ts';
import { mountOperation } from '../common/serve.ts';

const signInSeconds = lifetimes.ownerSignInMinutes * 60;

/** The owner's sign-in at an OpenID provider: the start, and the callback to which the provider redirects. */
export function registerOwnerIdentityRoutes({ app, shop, jar }: HttpScope): void {
  const { db, clock, config, ownerIdentity } = shop;
  const { admit, turnAway, expectAllowedAddress } = createOwnerSignIn({ ...shop, jar });

  mountOperation(app, 'POST /api/admin/auth/replit', async ({ request, reply }) => {
    await expectAllowedAddress(app.guards, request, 'openid');
    if (!ownerIdentity) throw new Refusal('owner-sign-in-off');
    const token = await issueToken(db, clock, { purpose: 'owner-sign-in', subjectId: 'owner', seconds: signInSeconds });
    const providerRedirect = await ownerIdentity.createSignInUrl(deriveSignInSecrets(token));
    if (providerRedirect.state === 'away') {
      await recordSignInFailure(request, providerRedirect);
      throw new Refusal('owner-sign-in-away');
    }
    jar.set(reply, 'owner-sign-in', token, signInSeconds);
    return { success: true, redirect: providerRedirect.address, message: 'One moment, please.' };
  });

  // The provider redirects the browser here, so this route must redirect to a page of the shop.
  app.get(
    ownerSignInCallbackPath,
    { schema: { hide: true }, config: { rateLimit: createRateLimitOptions('token-validation') } },
    async (request, reply) => {
      await expectAllowedAddress(app.guards, request, 'openid');
      reply.header('referrer-policy', 'no-referrer');
      const provenIdentity = await readProviderIdentity(request);
      jar.clear(reply, 'owner-sign-in');
      if (provenIdentity.state === 'known' && provenIdentity.subject === config.ownerOidc?.subject) {
        await admit(request, reply, 'openid');
        shop.live.publish('sessions');
        return reply.redirect('/admin', 303);
      }
      await recordSignInFailure(
        request,
        provenIdentity.state === 'known' ? { state: 'refused', why: 'another-subject' } : provenIdentity,
      );
      const refusalCode: RefusalName = provenIdentity.state === 'away' ? 'owner-sign-in-away' : 'owner-sign-in-off';
      return reply.redirect(`/admin-login?refused=${refusalCode}`, 303);
    },
  );

  /** Reads the provider's response. Accepts one response per sign-in, only in the browser that started it. */
  async function readProviderIdentity(request: FastifyRequest): Promise<ProvenIdentity> {
    const token = jar.read(request, 'owner-sign-in');
    const isOpen = token !== undefined && (await spendToken(db, clock, 'owner-sign-in', token)) !== undefined;
    if (!isOpen || !ownerIdentity) return { state: 'refused', why: 'not-asked' };
    return ownerIdentity.verifyCallback(new URL(request.url, config.baseUrl).search, deriveSignInSecrets(token));
  }

  async function recordSignInFailure(
    request: FastifyRequest,
    { state, why }: { state: 'refused' | 'away'; why: string },
  ) {
    if (state === 'away') request.log.warn({ why }, 'the owner’s sign-in provider is not available');
    await turnAway(request, 'openid', why);
  }
}

/** The secrets of one sign-in. They are derived from the token in the cookie, so they need not be stored. */
const deriveSignInSecrets = (token: string): SignInSecrets => {
  const deriveValue = (what: string) => createHmac('sha256', token).update(what).digest('base64url');
  return { state: deriveValue('state'), nonce: deriveValue('nonce'), verifier: deriveValue('verifier') };
};
