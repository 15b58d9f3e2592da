/**
 * The sandbox's Stripe Tax: calculations, and the transactions that are recorded when payment intents are paid or
 * refunded.
 */
import { eq, sql } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { createInvalidRequest, notFoundError } from './errors.ts';
import { createId } from './ids.ts';
import type { CreateCalculation } from './parameters.ts';
import { toStripeAddress } from './stripe-fields.ts';
import { sandboxObjects } from './sandbox.sql.ts';
import { findObject, insertObject, saveObject, toUnixSeconds, type OperationContext } from './store.ts';
import { findTaxRates, type TaxLocationRates, type TaxRate } from './tax-rates.ts';

const RETENTION_SECONDS = 90 * 86_400;

export async function createTaxCalculation(work: OperationContext, params: CreateCalculation) {
  const { line_items: lines, customer_details: customer } = params;
  const locationRates = findTaxRates(customer.address);
  if (!locationRates) {
    throw createInvalidRequest(
      "We could not determine the customer's tax location based on the provided customer address.",
      {
        code: 'customer_tax_location_invalid',
        param: 'customer_details[address]',
      },
    );
  }
  const breakdown = locationRates.rates.map((rate) => computeLineTaxes(lines, locationRates, rate));
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0);
  const tax = breakdown.reduce((sum, it) => sum + it.amount, 0);
  const calculation = {
    id: createId('taxcalc'),
    object: 'tax.calculation',
    amount_total: subtotal + tax,
    currency: params.currency,
    customer: null,
    customer_details: {
      address: toStripeAddress(customer.address),
      address_source: customer.address_source,
      ip_address: null,
      tax_ids: [],
      taxability_override: 'none',
    },
    expires_at: toUnixSeconds(work.now) + RETENTION_SECONDS,
    livemode: false,
    ship_from_details: null,
    shipping_cost: null,
    tax_amount_exclusive: tax,
    tax_amount_inclusive: 0,
    tax_breakdown: breakdown,
    tax_date: toUnixSeconds(work.now),
  } satisfies Stripe.Tax.Calculation;
  await insertObject(work, calculation);
  return calculation;
}

/** Computes one tax for all lines. Rounds each line separately. */
function computeLineTaxes(
  lines: CreateCalculation['line_items'],
  { country, region }: TaxLocationRates,
  rate: TaxRate,
) {
  return {
    amount: lines.reduce((sum, line) => sum + Math.round((line.amount * rate.percent) / 100), 0),
    inclusive: false,
    tax_rate_details: {
      country,
      flat_amount: null,
      percentage_decimal: String(rate.percent),
      rate_type: 'percentage',
      state: rate.isRegional ? region : null,
      tax_type: rate.type,
    },
    taxability_reason: rate.percent === 0 ? 'not_subject_to_tax' : 'standard_rated',
    taxable_amount: rate.percent === 0 ? 0 : lines.reduce((sum, line) => sum + line.amount, 0),
  } satisfies Stripe.Tax.Calculation.TaxBreakdown;
}

/** Returns the intent's `hooks` for a tax calculation. Throws if the calculation does not exist. */
export async function createTaxHooks(
  work: OperationContext,
  calculation: string | undefined,
): Promise<{ hooks?: Stripe.PaymentIntent.Hooks }> {
  if (calculation === undefined) return {};
  if (!(await findObject(work.tx, 'tax.calculation', calculation)))
    throw notFoundError('tax calculation', calculation, 'hooks[inputs][tax][calculation]');
  return { hooks: { inputs: { tax: { calculation } } } };
}

/**
 * Records the tax calculation of a paid intent as a transaction, once. A second intent with the same calculation gets
 * an error.
 */
export async function recordTax(work: OperationContext, intent: Stripe.PaymentIntent): Promise<void> {
  const id = intent.hooks?.inputs?.tax?.calculation;
  const calculation = id === undefined ? undefined : await findObject(work.tx, 'tax.calculation', id);
  if (!calculation) return;
  const attempt = await attemptCalculationAt(work, calculation, intent);
  const association = {
    id: createId('taxa'),
    object: 'tax.association',
    calculation: calculation.id,
    payment_intent: intent.id,
    tax_transaction_attempts: [attempt],
  } satisfies Stripe.Tax.Association;
  await insertObject(work, association, intent.id);
}

type Attempt = Stripe.Tax.Association.TaxTransactionAttempt;
async function attemptCalculationAt(
  work: OperationContext,
  calculation: Stripe.Tax.Calculation & { id: string },
  intent: Stripe.PaymentIntent,
): Promise<Attempt> {
  const createFailedTransaction = (reason: Stripe.Tax.Association.TaxTransactionAttempt.Errored.Reason): Attempt => ({
    source: intent.id,
    status: 'errored',
    errored: { reason },
  });
  // Locks the calculation until the transaction ends, so that two intents that are paid at the same time do not both
  // record it.
  await work.tx.select().from(sandboxObjects).where(eq(sandboxObjects.id, calculation.id)).for('update');
  const [taken] = await work.tx
    .select({ id: sandboxObjects.id })
    .from(sandboxObjects)
    .where(
      sql`${sandboxObjects.type} = 'tax.association' and ${sandboxObjects.body} ->> 'calculation' = ${calculation.id}`,
    );
  if (taken) return createFailedTransaction('another_payment_associated_with_calculation');
  if ((calculation.expires_at ?? 0) < toUnixSeconds(work.now)) return createFailedTransaction('calculation_expired');
  const transaction = createTaxTransaction(work, calculation, intent.id, null);
  await insertObject(work, transaction, intent.id);
  return { source: intent.id, status: 'committed', committed: { transaction: transaction.id } };
}

/** Records that a refund reverses the tax of its payment. */
export async function reverseTax(work: OperationContext, refundId: string, intentId: string): Promise<void> {
  const association = await findAssociation(work, intentId);
  const originalTransaction = association?.tax_transaction_attempts?.[0]?.committed?.transaction;
  const calculation = association && (await findObject(work.tx, 'tax.calculation', association.calculation));
  if (!originalTransaction || !calculation) return;
  const transaction = createTaxTransaction(work, calculation, refundId, originalTransaction);
  await insertObject(work, transaction, intentId);
  const attempt: Attempt = { source: refundId, status: 'committed', committed: { transaction: transaction.id } };
  const attempts = [...(association.tax_transaction_attempts ?? []), attempt];
  await saveObject(work, { ...association, tax_transaction_attempts: attempts });
}

export async function readAssociation(work: OperationContext, intentId: string): Promise<Stripe.Tax.Association> {
  const association = await findAssociation(work, intentId);
  if (!association) throw notFoundError('tax association', intentId, 'payment_intent');
  return association;
}

async function findAssociation(work: OperationContext, intentId: string): Promise<Stripe.Tax.Association | undefined> {
  const [row] = await work.tx
    .select({ body: sandboxObjects.body })
    .from(sandboxObjects)
    .where(sql`${sandboxObjects.intentId} = ${intentId} and ${sandboxObjects.type} = 'tax.association'`);
  return row?.body as Stripe.Tax.Association | undefined;
}

function createTaxTransaction(
  work: OperationContext,
  calculation: Stripe.Tax.Calculation,
  reference: string,
  original: string | null,
) {
  return {
    id: createId('tax'),
    object: 'tax.transaction',
    created: toUnixSeconds(work.now),
    currency: calculation.currency,
    customer: null,
    customer_details: calculation.customer_details,
    livemode: false,
    metadata: null,
    posted_at: toUnixSeconds(work.now),
    reference,
    reversal: original === null ? null : { original_transaction: original },
    ship_from_details: null,
    shipping_cost: null,
    tax_date: calculation.tax_date,
    type: original === null ? 'transaction' : 'reversal',
  } satisfies Stripe.Tax.Transaction;
}
