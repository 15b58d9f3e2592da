/** The bank's question to a buyer whose card asks for authentication. */
import type { Stripe } from 'stripe';
import type { Sandbox } from './api.ts';
import { finishAuthentication } from './confirming.ts';
import { noSuch } from './errors.ts';
import { isSame } from './ids.ts';
import { findObject, readIntent } from './store.ts';

export interface Authentication {
  intentId: string;
  clientSecret: string;
  state: 'waiting' | 'paid' | 'over';
  amountCents: number;
  cardLast4: string | undefined;
  /** Where the buyer goes on from here; undefined when the shop named no address. */
  returnTo: string | undefined;
}

/** Throws the answer to an intent that does not exist when the secret is not the intent's. */
export async function readAuthentication({ db }: Sandbox, intentId: string, secret: string): Promise<Authentication> {
  const { intent, returnUrl } = await readIntent(db, intentId);
  if (!isSame(secret, intent.client_secret ?? '')) throw noSuch('payment_intent', intentId, 'intent');
  const state = stateOf(intent);
  const methodId = intent.payment_method;
  const method = typeof methodId === 'string' ? await findObject(db, 'payment_method', methodId) : undefined;
  return {
    intentId,
    clientSecret: secret,
    state,
    amountCents: intent.amount,
    cardLast4: method?.card?.last4,
    returnTo: returnUrl === null ? undefined : returnAddress(returnUrl, intentId, secret, state === 'paid'),
  };
}

/** The buyer's word, if there is one. A second click finds the first one's outcome and goes on to the same place. */
export async function decideAuthentication(
  sandbox: Sandbox,
  intentId: string,
  secret: string,
  word: 'approve' | 'decline' | undefined,
): Promise<Authentication> {
  const asked = await readAuthentication(sandbox, intentId, secret);
  if (word === undefined) return asked;
  const request = { id: null, idempotency_key: null };
  await sandbox.db.transaction((tx) =>
    finishAuthentication({ tx, now: sandbox.clock.now(), request }, intentId, word === 'approve'),
  );
  return readAuthentication(sandbox, intentId, secret);
}

function stateOf({ status }: Stripe.PaymentIntent): Authentication['state'] {
  if (status === 'requires_action') return 'waiting';
  return status === 'succeeded' ? 'paid' : 'over';
}

/** With what Stripe tells the page a buyer returns to. */
function returnAddress(returnUrl: string, intentId: string, clientSecret: string, isPaid: boolean): string {
  const url = new URL(returnUrl);
  url.searchParams.set('payment_intent', intentId);
  url.searchParams.set('payment_intent_client_secret', clientSecret);
  url.searchParams.set('redirect_status', isPaid ? 'succeeded' : 'failed');
  return url.href;
}
