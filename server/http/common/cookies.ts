import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Cookies of this shop. On https their names begin with __Host-: browsers then accept and send them only for exactly
 * this host.
 */
const cookies = {
  sid: { sameSite: 'lax' },
  /** Identifies a browser in which someone has signed in before. */
  browser: { sameSite: 'lax' },
  'admin-browser': { sameSite: 'strict' },
  'admin-sid': { sameSite: 'strict' },
  'admin-code': { sameSite: 'strict' },
  /** Must be sent when the provider's site redirects back to the shop. */
  'owner-sign-in': { sameSite: 'lax' },
  checkout: { sameSite: 'lax' },
  'upload-link': { sameSite: 'lax' },
  /** Identifies the browser that made a free video. */
  trial: { sameSite: 'lax' },
} as const satisfies Record<string, CookieSerializeOptions>;
/** The most links to look up: a household has only a few frames, and more links would slow down each request. */
const mostFrameLinks = 20;
const frameLinkKinds = ['delivery', 'share', 'play', 'proof', 'review'] as const;
type FrameLinkKind = (typeof frameLinkKinds)[number];
const frameLinkPattern = new RegExp(`^(${frameLinkKinds.join('|')})-`);

/** The most contributor tokens to look up: one person may add photos for several families. */
const mostContributors = 20;
/** The previous release wrote the name without the prefix. The next release no longer reads it. */
const contributorPattern = /^(__Host-)?contributor-/;

/** The most tokens of trials to look up. They last for a day. */
const mostTrialViews = 10;
const trialViewPattern = /^trial-view-/;

type CookieName = keyof typeof cookies;

export class CookieJar {
  readonly #isSecure: boolean;
  constructor(baseUrl: string) {
    this.#isSecure = baseUrl.startsWith('https:');
  }
  #nameOf = (name: string) => (this.#isSecure ? `__Host-${name}` : name);
  #options = (name: CookieName): CookieSerializeOptions => ({
    path: '/',
    httpOnly: true,
    secure: this.#isSecure,
    ...cookies[name],
  });

  read(request: FastifyRequest, name: CookieName): string | undefined {
    return request.cookies[this.#nameOf(name)];
  }
  /** Without `maxAgeSeconds` the cookie lasts until the browser closes. */
  set(reply: FastifyReply, name: CookieName, value: string, maxAgeSeconds?: number): void {
    reply.setCookie(this.#nameOf(name), value, {
      ...this.#options(name),
      ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
    });
  }
  clear(reply: FastifyReply, name: CookieName): void {
    reply.clearCookie(this.#nameOf(name), this.#options(name));
  }

  /**
   * Stores the token of a link, which then gives access to the videos of its frame, or of its order for a review link.
   * Browsers send the cookie only to paths below /videos/, so its name cannot begin with __Host-.
   */
  setFrameLink(reply: FastifyReply, kind: FrameLinkKind, frameId: string, token: string, maxAgeSeconds: number): void {
    reply.setCookie(`${kind}-${frameId}`, token, {
      path: '/videos/',
      httpOnly: true,
      secure: this.#isSecure,
      sameSite: 'lax',
      maxAge: maxAgeSeconds,
    });
  }
  /** The tokens of all frame links that the browser has, of any kind. */
  readFrameLinkTokens(request: FastifyRequest): string[] {
    const names = Object.keys(request.cookies).filter((name) => frameLinkPattern.test(name));
    return names.slice(-mostFrameLinks).map((name) => request.cookies[name]!);
  }
  /**
   * Identifies a contributor at a collect link. The cookie is used by the page of the link, its API calls, and the
   * contributor's photos.
   */
  setContributor(reply: FastifyReply, linkId: string, token: string, maxAgeSeconds: number): void {
    reply.setCookie(this.#nameOf(`contributor-${linkId}`), token, {
      path: '/',
      httpOnly: true,
      secure: this.#isSecure,
      sameSite: 'lax',
      maxAge: maxAgeSeconds,
    });
  }
  readContributor(request: FastifyRequest, linkId: string): string | undefined {
    return request.cookies[this.#nameOf(`contributor-${linkId}`)] ?? request.cookies[`contributor-${linkId}`];
  }
  /** The contributor tokens of this browser, for all collect links. */
  readContributors(request: FastifyRequest): string[] {
    const names = Object.keys(request.cookies).filter((name) => contributorPattern.test(name));
    return names.slice(0, mostContributors).map((name) => request.cookies[name]!);
  }

  /**
   * Gives access to the video of a trial whose mailed link was opened. Browsers send it only to paths below /trials/.
   */
  setTrialView(reply: FastifyReply, trialId: string, token: string, maxAgeSeconds: number): void {
    reply.setCookie(`trial-view-${trialId}`, token, {
      path: '/trials/',
      httpOnly: true,
      secure: this.#isSecure,
      sameSite: 'lax',
      maxAge: maxAgeSeconds,
    });
  }
  /** The tokens of all mailed links of trials that the browser has opened. */
  trialViews(request: FastifyRequest): string[] {
    const names = Object.keys(request.cookies).filter((name) => trialViewPattern.test(name));
    return names.slice(-mostTrialViews).map((name) => request.cookies[name]!);
  }

  frameLink(request: FastifyRequest, kind: FrameLinkKind, frameId: string): string | undefined {
    return request.cookies[`${kind}-${frameId}`];
  }
}
