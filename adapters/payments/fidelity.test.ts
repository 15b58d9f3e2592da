/**
 * Checks that the sandbox matches Stripe. The compiler checks the requests of our adapter, and the responses and events
 * of the sandbox, against the types of Stripe's SDK. An unknown, missing or wrongly typed parameter or field is a
 * compile error. Reading the account and reading a checkout session are not checked.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CardPayments } from '#shop/ports/card-payments.ts';
import { sampleFramePayment } from './card-payments.suite.ts';
import { parseForm, type ParsedForm } from './sandbox/form.ts';
import { useSandboxDatabase } from './sandbox/test-database.ts';
import { testCards, type TestCard } from './sandbox/test-cards.ts';
import { startSandboxServer, createSandboxTestShop, WEBHOOK_SECRET, type TestShop } from './sandbox/test-shop.ts';
import { createStripePayments } from './stripe.ts';

/** The SDK's types for the parameters and the response of each API request. */
const typesOfCalls: Record<string, [params: string, answer: string]> = {
  'POST /v1/tax/calculations': ['Tax.CalculationCreateParams', 'Tax.Calculation'],
  'POST /v1/customers': ['CustomerCreateParams', 'Customer'],
  'POST /v1/payment_intents': ['PaymentIntentCreateParams', 'PaymentIntent'],
  'GET /v1/payment_intents/{id}': ['PaymentIntentRetrieveParams', 'PaymentIntent'],
  'POST /v1/payment_intents/{id}/cancel': ['PaymentIntentCancelParams', 'PaymentIntent'],
  'POST /v1/payment_intents/{id}/capture': ['PaymentIntentCaptureParams', 'PaymentIntent'],
  'GET /v1/charges/{id}': ['ChargeRetrieveParams', 'Charge'],
  'POST /v1/refunds': ['RefundCreateParams', 'Refund'],
  'GET /v1/refunds': ['RefundListParams', 'ApiList<Stripe.Refund>'],
  'GET /v1/disputes': ['DisputeListParams', 'ApiList<Stripe.Dispute>'],
  'GET /v1/radar/early_fraud_warnings': [
    'Radar.EarlyFraudWarningListParams',
    'ApiList<Stripe.Radar.EarlyFraudWarning>',
  ],
  'GET /v1/balance_transactions': ['BalanceTransactionListParams', 'ApiList<Stripe.BalanceTransaction>'],
  'GET /v1/balance': ['BalanceRetrieveParams', 'Balance'],
};
/** The SDK's type for each object in a webhook event. */
const typeByObject: Record<string, string> = {
  payment_intent: 'PaymentIntent',
  charge: 'Charge',
  refund: 'Refund',
  dispute: 'Dispute',
  'radar.early_fraud_warning': 'Radar.EarlyFraudWarning',
  customer: 'Customer',
};

interface Call {
  name: string;
  form: ParsedForm;
  answer: unknown;
}
const recordedStripeCalls: Call[] = [];
const events: { object: string; event: unknown }[] = [];
const freshDatabase = useSandboxDatabase();

/** Sends each API request in `typesOfCalls` at least once, over a socket. */
beforeAll(async () => {
  const shop = createSandboxTestShop((await freshDatabase()).db);
  const base = await startSandboxServer(shop);
  const payments = createStripePayments({
    secretKey: shop.secretKey,
    webhookSecret: WEBHOOK_SECRET,
    apiBase: base,
    clock: shop.clock,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      const { pathname, search } = new URL(url);
      const path = pathname.slice(new URL(base).pathname.length).replace(/\/(pi|ch|re|dp)_\w+/, '/{id}');
      const text = init.method === 'POST' ? (init.body as string) : search.slice(1);
      recordedStripeCalls.push({
        name: `${init.method} ${path}`,
        form: parseForm(text),
        answer: await response.clone().json(),
      });
      return response;
    },
  });
  await callEveryOperation(payments, shop);
  await shop.runDueTasks();
  for (const { event } of shop.webhooks) events.push({ object: event.data.object.object, event });
  await shop.app.close();
});

async function callEveryOperation(
  payments: CardPayments,
  shop: Pick<TestShop, 'pay' | 'dispute' | 'warnOfFraud' | 'clock'>,
) {
  await payments.check();
  const tax = await payments.calculateTax({
    currency: 'usd',
    lines: [{ reference: 'kinframe', kind: 'goods', quantity: 1, amountCents: 19_900 }],
    address: sampleFramePayment.shipping!.address,
    addressSource: 'shipping',
  });
  const customerId = await payments.createCustomer({ name: 'Anna Berg', email: 'anna@example.com' }, 'customer-1');
  const paymentRequest = { ...sampleFramePayment, customerId, ...(tax && { taxCalculationId: tax.id }) };
  const canceledIntent = await payments.createIntent(sampleFramePayment, 'left');
  await payments.cancelIntent(canceledIntent.id);
  for (const endMethod of ['captureIntent', 'cancelIntent'] as const) {
    const authorizedIntent = await payments.createIntent({ ...paymentRequest, isCapturedLater: true }, endMethod);
    await shop.pay(authorizedIntent, 'pays');
    await payments[endMethod](authorizedIntent.id);
  }
  const intent = await payments.createIntent(paymentRequest, 'order');
  await shop.pay(intent, 'pays');
  const { chargeId } = (await payments.getIntent(intent.id))!;
  await payments.readPayer(chargeId!);
  await payments.readFeeCents(intent.id);
  await payments.refund({ intentId: intent.id, amountCents: 999, reason: 'one package less' }, 'refund');
  await shop.warnOfFraud(intent.id);
  await shop.dispute(intent.id);
  await payments.listRefundsOf(intent.id);
  await payments.listDisputesOf(intent.id);
  await payments.listFraudWarningsOf(intent.id);
  const dayMs = 86_400_000;
  const now = shop.clock.now().getTime();
  const span = { from: new Date(now - dayMs), until: new Date(now + dayMs) };
  for await (const page of payments.listBalanceTransactions(span)) if (page.length === 0) return;
  for (const card of Object.keys(testCards) as TestCard[]) {
    const triedIntent = await payments.createIntent(sampleFramePayment, card);
    await shop.pay(triedIntent, card);
    await payments.getIntent(triedIntent.id);
  }
}

describe('fidelity to Stripe', () => {
  test('every request that was sent and every event object has an SDK type to check against', () => {
    expect(new Set(recordedStripeCalls.map((it) => it.name))).toEqual(new Set(Object.keys(typesOfCalls)));
    expect(new Set(events.map((it) => it.object))).toEqual(new Set(Object.keys(typeByObject)));
  });

  test('requests match the SDK’s parameters, and responses and events match its objects', async () => {
    const checkedBehaviors = [
      ...recordedStripeCalls.map(({ name, form }) =>
        claimOfType(`Stripe.${typesOfCalls[name]![0]}`, formatAsTypeScript(form), name),
      ),
      ...recordedStripeCalls.map(({ name, answer }) =>
        claimOfType(`Stripe.${typesOfCalls[name]![1]}`, JSON.stringify(answer), `answer of ${name}`),
      ),
      ...events.map(({ object, event }) =>
        claimOfType(
          `Omit<Stripe.EventBase, 'data'> & { type: string; data: { object: Stripe.${typeByObject[object]}; previous_attributes?: object } }`,
          JSON.stringify(event),
          `event of a ${object}`,
        ),
      ),
    ];
    expect(await findMistakes(checkedBehaviors)).toEqual([]);
  });

  test('the compiler reports fields and parameters that Stripe does not have', async () => {
    const intent = recordedStripeCalls.find((it) => it.name === 'POST /v1/payment_intents')!;
    const intentAnswer = intent.answer as Record<string, unknown>;
    const foundMistakes = await findMistakes([
      claimOfType(
        'Stripe.PaymentIntentCreateParams',
        formatAsTypeScript({ ...intent.form, color: 'red' }),
        'unknown parameter',
      ),
      claimOfType(
        'Stripe.PaymentIntentCreateParams',
        formatAsTypeScript({ ...intent.form, shipping: { planet: 'Mars' } }),
        'nested',
      ),
      claimOfType('Stripe.RefundCreateParams', formatAsTypeScript({ amount: 'all' }), 'not a number'),
      claimOfType(
        'Stripe.PaymentIntent',
        JSON.stringify({ ...intentAnswer, client_secret: undefined }),
        'missing field',
      ),
      claimOfType('Stripe.PaymentIntent', JSON.stringify({ ...intentAnswer, color: 'red' }), 'unknown field'),
    ]);
    expect(foundMistakes.map((it) => it.split(':')[0])).toEqual([
      'unknown parameter',
      'nested',
      'not a number',
      'missing field',
      'unknown field',
    ]);
  });
});

interface Claim {
  /** One line of TypeScript that has a compile error exactly when the claim is wrong. */
  line: string;
  about: string;
}
const claimOfType = (type: string, value: string, about: string): Claim => ({
  line: `export const _: ${type} = ${value};`,
  about,
});

/**
 * Writes a form as TypeScript. A form contains only text: text that looks like a number or a boolean may be one, and
 * all other text is a string.
 */
function formatAsTypeScript(value: ParsedForm[string] | ParsedForm): string {
  if (typeof value === 'string') return /^(-?[\d.]+|true|false)$/.test(value) ? 'formValue' : JSON.stringify(value);
  const entries = Object.entries(value);
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key)))
    return `[${entries.map(([, item]) => formatAsTypeScript(item)).join(', ')}]`;
  return `{ ${entries.map(([key, item]) => `${JSON.stringify(key)}: ${formatAsTypeScript(item)}`).join(', ')} }`;
}

/** Returns the compiler error of each wrong claim, with the name of the claim. */
async function findMistakes(claims: Claim[]): Promise<string[]> {
  const root = join(import.meta.dirname, '../..');
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'fidelity-'));
  try {
    const files = claims.map(({ line }, place) => {
      const path = join(folder, `claim-${place}.ts`);
      writeFileSync(path, `import type { Stripe } from 'stripe';\ndeclare const formValue: any;\n${line}\n`);
      return path;
    });
    const options = '--noEmit --strict --skipLibCheck --target es2024 --module esnext --moduleResolution bundler';
    const args = [join(root, 'node_modules/typescript/bin/tsc'), ...options.split(' '), '--ignoreConfig', ...files];
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, args, { cwd: root, maxBuffer: 1e8 }, (_error, stdout) => resolve(stdout));
    });
    return output.split('\n').flatMap((line) => {
      const errorMatch = /claim-(\d+)\.ts\(\d+,\d+\): error (.*)/.exec(line);
      return errorMatch
        ? [`${claims[Number(errorMatch[1])]!.about}: ${errorMatch[2]}`]
        : /error TS/.test(line)
          ? [line]
          : [];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
