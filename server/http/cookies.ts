import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Cookies of this shop. On https their names carry __Host-, which the browser ties to this very host. */
const cookies = {
  sid: { sameSite: 'lax' },
  'admin-sid': { sameSite: 'strict' },
  checkout: { sameSite: 'lax' },
} as const satisfies Record<string, CookieSerializeOptions>;
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

  /** A delivery link's key to the videos of its frame; it goes nowhere else. */
  setDelivery(reply: FastifyReply, frameId: string, token: string, maxAgeSeconds: number): void {
    reply.setCookie(`delivery-${frameId}`, token, {
      path: '/videos/',
      httpOnly: true,
      secure: this.#isSecure,
      sameSite: 'lax',
      maxAge: maxAgeSeconds,
    });
  }
  delivery(request: FastifyRequest, frameId: string): string | undefined {
    return request.cookies[`delivery-${frameId}`];
  }
}
