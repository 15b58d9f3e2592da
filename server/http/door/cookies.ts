import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Cookies of this shop. On https their names carry __Host-, which the browser ties to this very host. */
const cookies = {
  sid: { sameSite: 'lax' },
  'admin-sid': { sameSite: 'strict' },
  'admin-code': { sameSite: 'strict' },
  /** Comes along from the provider's site. */
  'owner-sign-in': { sameSite: 'lax' },
  checkout: { sameSite: 'lax' },
  'upload-link': { sameSite: 'lax' },
} as const satisfies Record<string, CookieSerializeOptions>;
/** A household has a few frames; each more would make the look-up dearer. */
const mostFrameLinks = 20;
const frameLinks = ['delivery', 'share', 'play', 'proof', 'review'] as const;
type FrameLink = (typeof frameLinks)[number];
const isFrameLink = new RegExp(`^(${frameLinks.join('|')})-`);

/** Somebody may help several families. */
const mostContributors = 20;
const isContributor = /^contributor-/;

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
  /** `maxAgeSeconds` absent: until the browser closes. */
  set(reply: FastifyReply, name: CookieName, value: string, maxAgeSeconds?: number): void {
    reply.setCookie(this.#nameOf(name), value, {
      ...this.#options(name),
      ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
    });
  }
  clear(reply: FastifyReply, name: CookieName): void {
    reply.clearCookie(this.#nameOf(name), this.#options(name));
  }

  /** A link's key to the videos of its frame, a review's to those of its order; it goes nowhere else. */
  setFrameLink(reply: FastifyReply, kind: FrameLink, frameId: string, token: string, maxAgeSeconds: number): void {
    reply.setCookie(`${kind}-${frameId}`, token, {
      path: '/videos/',
      httpOnly: true,
      secure: this.#isSecure,
      sameSite: 'lax',
      maxAge: maxAgeSeconds,
    });
  }
  /** Of whichever frames and kinds. */
  frameLinks(request: FastifyRequest): string[] {
    const names = Object.keys(request.cookies).filter((name) => isFrameLink.test(name));
    return names.slice(-mostFrameLinks).map((name) => request.cookies[name]!);
  }
  /** Who somebody is at a collect link: asked by its page, its calls, and the photos they brought. */
  setContributor(reply: FastifyReply, linkId: string, token: string, maxAgeSeconds: number): void {
    reply.setCookie(`contributor-${linkId}`, token, {
      path: '/',
      httpOnly: true,
      secure: this.#isSecure,
      sameSite: 'lax',
      maxAge: maxAgeSeconds,
    });
  }
  contributor(request: FastifyRequest, linkId: string): string | undefined {
    return request.cookies[`contributor-${linkId}`];
  }
  /** At whichever links. */
  contributors(request: FastifyRequest): string[] {
    const names = Object.keys(request.cookies).filter((name) => isContributor.test(name));
    return names.slice(0, mostContributors).map((name) => request.cookies[name]!);
  }

  frameLink(request: FastifyRequest, kind: FrameLink, frameId: string): string | undefined {
    return request.cookies[`${kind}-${frameId}`];
  }
}
