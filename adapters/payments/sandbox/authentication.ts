/** The bank's authentication of a buyer, for a card that requires it. */
import type { Stripe } from 'stripe';
import type { Sandbox } from './api.ts';
import { finishAuthentication } from './confirm-intent.ts';
import { notFoundError } from './errors.ts';
import { isSameSecret } from './ids.ts';
import { findObject, readIntentRow } from './store.ts';

export interface CardAuthentication {
  intentId: string;
  clientSecret: string;
  state: 'waiting' | 'paid' | 'over';
  amountCents: number;
  cardLast4: string | undefined;
  /** Where the buyer continues afterwards; undefined if the shop gave no return address. */
  returnTo: string | undefined;
}

/**
 * Reads the state of an authentication. If the secret does not match, throws the same error as for an unknown intent.
 */
export async function readAuthentication(
  { db }: Sandbox,
  intentId: string,
  secret: string,
): Promise<CardAuthentication> {
  const { intent, returnUrl } = await readIntentRow(db, intentId);
  if (!isSameSecret(secret, intent.client_secret ?? '')) throw notFoundError('payment_intent', intentId, 'intent');
  const state = getAuthenticationState(intent);
  const methodId = intent.payment_method;
  const method = typeof methodId === 'string' ? await findObject(db, 'payment_method', methodId) : undefined;
  return {
    intentId,
    clientSecret: secret,
    state,
    amountCents: intent.amount,
    cardLast4: method?.card?.last4,
    returnTo: returnUrl === null ? undefined : createReturnUrl(returnUrl, intentId, secret, state === 'paid'),
  };
}

/**
 * Applies the buyer's decision, if there is one. A second decision changes nothing: it gets the result and the return
 * address of the first decision.
 */
export async function completeAuthentication(
  sandbox: Sandbox,
  intentId: string,
  secret: string,
  word: 'approve' | 'decline' | undefined,
): Promise<CardAuthentication> {
  const authentication = await readAuthentication(sandbox, intentId, secret);
  if (word === undefined) return authentication;
  const request = { id: null, idempotency_key: null };
  await sandbox.db.transaction((tx) =>
    finishAuthentication({ tx, now: sandbox.clock.now(), request }, intentId, word === 'approve'),
  );
  return readAuthentication(sandbox, intentId, secret);
}

function getAuthenticationState({ status }: Stripe.PaymentIntent): CardAuthentication['state'] {
  if (status === 'requires_action') return 'waiting';
  return status === 'succeeded' || status === 'requires_capture' ? 'paid' : 'over';
}

/** Adds the parameters that Stripe passes to the page where the buyer returns. */
function createReturnUrl(returnUrl: string, intentId: string, clientSecret: string, isPaid: boolean): string {
  const url = new URL(returnUrl);
  url.searchParams.set('payment_intent', intentId);
  url.searchParams.set('payment_intent_client_secret', clientSecret);
  url.searchParams.set('redirect_status', isPaid ? 'succeeded' : 'failed');
  return url.href;
}
