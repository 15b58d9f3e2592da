/** The API operations of this sandbox, with their parameters and handlers. */
import { and, eq, sql } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import type { z } from 'zod';
import { listBalanceTransactions } from './balance.ts';
import { captureIntent, confirmIntent, type HttpResponse, type PayingRules } from './confirm-intent.ts';
import { createSession, readSession } from './checkout-sessions.ts';
import { createCustomer } from './customers.ts';
import * as take from './parameters.ts';
import { cancelIntent, createIntent, readIntent, updateIntent } from './payment-intents.ts';
import { createRefund } from './refunds.ts';
import { sandboxObjects } from './sandbox.sql.ts';
import { createTaxCalculation, readAssociation } from './tax.ts';
import { getObject, listObjects, type StripeObjectType, type OperationContext } from './store.ts';

interface OperationCall<Params> {
  /** The id in the path. Empty if the path has no id. */
  id: string;
  params: Params;
  rules: PayingRules;
}
export interface Operation {
  method: 'GET' | 'POST';
  path: RegExp;
  params: z.ZodType;
  /** Whether a buyer's browser may use this operation with the intent's client secret. */
  isForClients: boolean;
  run(work: OperationContext, call: OperationCall<unknown>): Promise<HttpResponse>;
}

function defineOperation<S extends z.ZodType>(
  route: `${'GET' | 'POST'} /v1/${string}`,
  params: S,
  run: (work: OperationContext, call: OperationCall<z.output<S>>) => Promise<unknown>,
): Operation {
  return defineOperationWithResponse(route, params, async (work, call) => ({
    status: 200,
    body: await run(work, call),
  }));
}

function defineOperationWithResponse<S extends z.ZodType>(
  route: `${'GET' | 'POST'} /v1/${string}`,
  params: S,
  run: (work: OperationContext, call: OperationCall<z.output<S>>) => Promise<HttpResponse>,
): Operation {
  const [method, path] = route.split(' ') as ['GET' | 'POST', string];
  return {
    method,
    path: new RegExp(`^${path.replace('{id}', '(?<id>[A-Za-z0-9_]{1,255})')}$`),
    params,
    isForClients: false,
    run: (work, call) => run(work, call as OperationCall<z.output<S>>),
  };
}

const markForClients = (defineOperation: Operation): Operation => ({ ...defineOperation, isForClients: true });

const read =
  (type: StripeObjectType) =>
  (work: OperationContext, { id }: OperationCall<unknown>) =>
    getObject(work.tx, type, id);

const { body, intentId } = sandboxObjects;
const isField = (field: string, value: string | undefined) =>
  value === undefined ? undefined : eq(sql`${body} ->> ${field}`, value);
const isOfIntent = (id: string | undefined) => (id === undefined ? undefined : eq(intentId, id));

export const sandboxOperations: readonly Operation[] = [
  defineOperation('POST /v1/payment_intents', take.createIntentParams, (work, { params }) =>
    createIntent(work, params),
  ),
  defineOperation('GET /v1/payment_intents', take.listIntentsParams, (work, { params: { customer, ...page } }) =>
    listObjects(work.tx, 'payment_intent', '/v1/payment_intents', page, [isField('customer', customer)]),
  ),
  markForClients(
    defineOperation('GET /v1/payment_intents/{id}', take.readIntentParams, (work, { id, params }) =>
      readIntent(work, id, params),
    ),
  ),
  defineOperation('POST /v1/payment_intents/{id}', take.updateIntentParams, (work, { id, params }) =>
    updateIntent(work, id, params),
  ),
  markForClients(
    defineOperationWithResponse(
      'POST /v1/payment_intents/{id}/confirm',
      take.confirmIntentParams,
      (work, { id, params, rules }) => confirmIntent(work, id, params, rules),
    ),
  ),
  defineOperation('POST /v1/payment_intents/{id}/capture', take.captureIntentParams, (work, { id }) =>
    captureIntent(work, id),
  ),
  defineOperation('POST /v1/payment_intents/{id}/cancel', take.cancelIntentParams, (work, { id, params }) =>
    cancelIntent(work, id, params),
  ),

  defineOperation('POST /v1/checkout/sessions', take.createSessionParams, (work, { params }) =>
    createSession(work, params),
  ),
  defineOperation('GET /v1/checkout/sessions/{id}', take.noParams, (work, { id }) => readSession(work, id)),

  defineOperation('POST /v1/refunds', take.createRefundParams, (work, { params }) => createRefund(work, params)),
  defineOperation('GET /v1/refunds', take.listRefundsParams, (work, { params: { payment_intent, charge, ...page } }) =>
    listObjects(work.tx, 'refund', '/v1/refunds', page, [isOfIntent(payment_intent), isField('charge', charge)]),
  ),
  defineOperation('GET /v1/refunds/{id}', take.noParams, read('refund')),

  defineOperation('GET /v1/charges', take.listChargesParams, (work, { params: { payment_intent, ...page } }) =>
    listObjects(work.tx, 'charge', '/v1/charges', page, [isOfIntent(payment_intent)]),
  ),
  defineOperation('GET /v1/charges/{id}', take.noParams, read('charge')),
  defineOperation('GET /v1/payment_methods/{id}', take.noParams, read('payment_method')),
  defineOperation(
    'GET /v1/disputes',
    take.listOfPaymentParams,
    (work, { params: { payment_intent, charge, ...page } }) =>
      listObjects(work.tx, 'dispute', '/v1/disputes', page, [isOfIntent(payment_intent), isField('charge', charge)]),
  ),
  defineOperation('GET /v1/disputes/{id}', take.noParams, read('dispute')),
  defineOperation(
    'GET /v1/radar/early_fraud_warnings',
    take.listOfPaymentParams,
    (work, { params: { payment_intent, charge, ...page } }) =>
      listObjects(work.tx, 'radar.early_fraud_warning', '/v1/radar/early_fraud_warnings', page, [
        isOfIntent(payment_intent),
        isField('charge', charge),
      ]),
  ),
  defineOperation('GET /v1/radar/early_fraud_warnings/{id}', take.noParams, read('radar.early_fraud_warning')),

  defineOperation('POST /v1/customers', take.createCustomerParams, (work, { params }) => createCustomer(work, params)),
  defineOperation('GET /v1/customers', take.listCustomersParams, (work, { params: { email, ...page } }) =>
    listObjects(work.tx, 'customer', '/v1/customers', page, [isField('email', email)]),
  ),
  defineOperation('GET /v1/customers/{id}', take.noParams, read('customer')),

  defineOperation('POST /v1/tax/calculations', take.createCalculationParams, (work, { params }) =>
    createTaxCalculation(work, params),
  ),
  defineOperation('GET /v1/tax/calculations/{id}', take.noParams, read('tax.calculation')),
  defineOperation('GET /v1/tax/transactions/{id}', take.noParams, read('tax.transaction')),
  defineOperation('GET /v1/tax/associations/find', take.findAssociationParams, (work, { params }) =>
    readAssociation(work, params.payment_intent),
  ),

  defineOperation('GET /v1/events', take.listEventsParams, (work, { params: { type, ...page } }) =>
    listObjects(work.tx, 'event', '/v1/events', page, [isField('type', type)]),
  ),
  defineOperation('GET /v1/events/{id}', take.noParams, read('event')),

  defineOperation('GET /v1/account', take.noParams, async () => ({ id: 'acct_sandbox', object: 'account' })),
  defineOperation('GET /v1/balance', take.noParams, readBalance),
  defineOperation('GET /v1/balance_transactions', take.listBalanceTransactionsParams, (work, { params }) =>
    listBalanceTransactions(work, params),
  ),
];

async function readBalance(work: OperationContext): Promise<Stripe.Balance> {
  const netCaptured = sql<string>`coalesce(sum((${body} ->> 'amount_captured')::bigint - (${body} ->> 'amount_refunded')::bigint), 0)`;
  // Counts only captured charges. A released authorization counts as refunded, although the shop never received the
  // money.
  const isCapturedCharge = and(eq(sandboxObjects.type, 'charge'), sql`(${body} ->> 'captured')::boolean`);
  const [row] = await work.tx.select({ netCaptured }).from(sandboxObjects).where(isCapturedCharge);
  const amount = Number(row?.netCaptured ?? 0);
  return {
    object: 'balance',
    available: [{ amount, currency: 'usd', source_types: { card: amount } }],
    livemode: false,
    pending: [{ amount: 0, currency: 'usd', source_types: { card: 0 } }],
  };
}
