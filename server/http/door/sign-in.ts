import type { FastifyReply, FastifyRequest } from 'fastify';
import { signOut, type Session } from '#shop/accounts/accounts.ts';
import { nameDevice } from '#shop/accounts/sessions.ts';
import type { Door } from './door.ts';
import { deviceWords } from './device-words.ts';

/** Give a browser its new session; the one it came with ends. */
export function signingIn({ shop: { db }, jar }: Pick<Door, 'shop' | 'jar'>) {
  async function endBrought(request: FastifyRequest): Promise<void> {
    const brought = jar.read(request, 'sid');
    if (brought !== undefined) await signOut(db, brought);
  }
  async function remember(request: FastifyRequest, reply: FastifyReply, { token, maxAgeSeconds }: Session) {
    await endBrought(request);
    await nameDevice(db, token, deviceWords(request.headers['user-agent']));
    jar.set(reply, 'sid', token, maxAgeSeconds);
  }
  return { endBrought, remember };
}
