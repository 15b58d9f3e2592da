import type { PushAddress, PushMessage, PushService } from '#shop/ports/push-service.ts';

/** A push service that accepts every public https address. `state.answer` is the result of the next messages. */
export function fakePushService() {
  const sentMessages: { to: PushAddress; message: PushMessage }[] = [];
  const state: { answer: 'sent' | 'gone' | 'fails' } = { answer: 'sent' };
  return {
    createKeys: () => ({ publicKey: 'public', privateKey: 'private' }),
    accepts: (endpoint) => endpoint.startsWith('https://') && !endpoint.includes('localhost'),
    async send(_keys, { endpoint, p256dh, auth }, message) {
      if (state.answer === 'fails') throw new Error('the push service answered 500');
      sentMessages.push({ to: { endpoint, p256dh, auth }, message });
      return state.answer;
    },
    sent: sentMessages,
    state,
  } satisfies PushService & Record<string, unknown>;
}
