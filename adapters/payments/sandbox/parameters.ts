/**
 * The parameters of each API operation. All values arrive as form text. Parameters that are not listed are refused, as
 * Stripe does.
 */
import { z } from 'zod';
import { createInvalidRequest, type ApiError } from './errors.ts';
import type { ParsedForm } from './form.ts';

const text = z.string().max(5000);
/** Text that can be removed: Stripe reads an empty text as "unset". */
const clearableText = text.transform((value) => (value === '' ? null : value));
const integer = z.string().transform((value, context) => {
  if (/^-?\d{1,15}$/.test(value)) return Number(value);
  context.addIssue({ code: 'custom', message: 'Invalid integer', params: { code: 'parameter_invalid_integer' } });
  return z.NEVER;
});
const booleanText = z.enum(['true', 'false']).transform((value) => value === 'true');
const currency = z.literal('usd', { error: 'Invalid currency: this sandbox takes usd' });
const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine((pairs) => Object.keys(pairs).length <= 50, 'Metadata takes at most 50 keys');

const address = z.strictObject({
  line1: clearableText.optional(),
  line2: clearableText.optional(),
  city: clearableText.optional(),
  state: clearableText.optional(),
  postal_code: clearableText.optional(),
  country: clearableText.optional(),
});
const shipping = z.strictObject({
  name: text,
  phone: clearableText.optional(),
  carrier: clearableText.optional(),
  tracking_number: clearableText.optional(),
  address,
});

const intentDetails = {
  customer: text.optional(),
  description: clearableText.optional(),
  receipt_email: clearableText.optional(),
  shipping: shipping.optional(),
  statement_descriptor_suffix: clearableText.optional(),
  metadata: metadata.optional(),
};

export const createIntentParams = z.strictObject({
  amount: integer,
  currency,
  automatic_payment_methods: z
    .strictObject({ enabled: booleanText, allow_redirects: z.enum(['always', 'never']).optional() })
    .optional(),
  capture_method: z.enum(['automatic', 'automatic_async', 'manual']).optional(),
  hooks: z.strictObject({ inputs: z.strictObject({ tax: z.strictObject({ calculation: text }) }) }).optional(),
  ...intentDetails,
});
export const updateIntentParams = z.strictObject({
  amount: integer.optional(),
  currency: currency.optional(),
  ...intentDetails,
});

/** Parameters that Stripe.js sends with a client secret. */
const browserCredentials = { client_secret: text.optional(), key: text.optional() };

const card = z.strictObject({
  number: z.string().max(40),
  exp_month: integer.optional(),
  exp_year: integer.optional(),
  cvc: z.string().max(10).optional(),
});
const billingDetails = z.strictObject({
  name: clearableText.optional(),
  email: clearableText.optional(),
  phone: clearableText.optional(),
  address: address.optional(),
});
export const confirmIntentParams = z.strictObject({
  ...browserCredentials,
  payment_method_data: z
    .strictObject({ type: z.literal('card').optional(), card, billing_details: billingDetails.optional() })
    .optional(),
  /** The address that the buyer chose in a wallet. */
  shipping: shipping.optional(),
  return_url: text.optional(),
  expected_payment_method_type: z.literal('card').optional(),
  use_stripe_sdk: booleanText.optional(),
});
export const captureIntentParams = z.strictObject({});
export const cancelIntentParams = z.strictObject({
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
});

export const createRefundParams = z.strictObject({
  payment_intent: text.optional(),
  charge: text.optional(),
  amount: integer.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.optional(),
});
export const createCustomerParams = z.strictObject({
  name: clearableText.optional(),
  email: clearableText.optional(),
  phone: clearableText.optional(),
  description: clearableText.optional(),
  address: address.optional(),
  metadata: metadata.optional(),
});

/** `line_items[0][amount]=…`: a list arrives as an object with keys that count from 0. */
const createListSchema = <S extends z.ZodType>(of: S) =>
  z
    .record(z.string().regex(/^\d{1,3}$/, 'Invalid array'), of)
    .transform((entries) => Object.values(entries))
    .refine((items) => items.length > 0 && items.length <= 100, 'A list takes 1 to 100 items');
const lineItem = z.strictObject({
  amount: integer.refine((amount) => amount >= 0, 'This value must be greater than or equal to 0.'),
  quantity: integer.refine((quantity) => quantity >= 1, 'This value must be greater than or equal to 1.').optional(),
  reference: text.optional(),
  tax_behavior: z.literal('exclusive', { error: 'Invalid tax_behavior: this sandbox takes exclusive' }).optional(),
  tax_code: z
    .string()
    .regex(/^txcd_\d{8}$/, 'No such tax code')
    .optional(),
});
export const readIntentParams = z.strictObject({
  ...browserCredentials,
  expand: createListSchema(
    z.literal('latest_charge.balance_transaction', 'This property cannot be expanded'),
  ).optional(),
});
export const createCalculationParams = z.strictObject({
  currency,
  line_items: createListSchema(lineItem).refine(
    (lines) => new Set(lines.map((it) => it.reference ?? it)).size === lines.length,
    'The reference of a line item must be unique',
  ),
  customer_details: z.strictObject({
    address: z.strictObject({ ...address.shape, country: text }),
    address_source: z.enum(['billing', 'shipping']),
  }),
});
/** The parameters that a shop like this one sends to create a page at the provider. */
export const createSessionParams = z.strictObject({
  mode: z.literal('payment'),
  success_url: text,
  cancel_url: text.optional(),
  customer: text.optional(),
  line_items: createListSchema(
    z.strictObject({
      quantity: integer,
      price_data: z.strictObject({ currency, unit_amount: integer, product_data: z.strictObject({ name: text }) }),
    }),
  ),
  payment_intent_data: z.strictObject({ description: text.optional(), metadata: metadata.optional() }).optional(),
  metadata: metadata.optional(),
});
export const findAssociationParams = z.strictObject({ payment_intent: text });

const page = {
  limit: integer.refine((limit) => limit >= 1 && limit <= 100, 'Invalid limit: 1 to 100').optional(),
  starting_after: text.optional(),
};
export const listIntentsParams = z.strictObject({ ...page, customer: text.optional() });
export const listRefundsParams = z.strictObject({ ...page, payment_intent: text.optional(), charge: text.optional() });
export const listOfPaymentParams = z.strictObject({
  ...page,
  payment_intent: text.optional(),
  charge: text.optional(),
});
export const listChargesParams = z.strictObject({ ...page, payment_intent: text.optional() });
export const listCustomersParams = z.strictObject({ ...page, email: text.optional() });
export const listBalanceTransactionsParams = z.strictObject({
  ...page,
  created: z.strictObject({ gte: integer.optional(), lt: integer.optional() }).optional(),
  expand: createListSchema(z.literal('data.source', 'This property cannot be expanded')).optional(),
});
export const listEventsParams = z.strictObject({ ...page, type: text.optional() });
export const noParams = z.strictObject({});

export type ReadIntent = z.output<typeof readIntentParams>;
export type CreateIntent = z.output<typeof createIntentParams>;
export type CreateCalculation = z.output<typeof createCalculationParams>;
export type UpdateIntent = z.output<typeof updateIntentParams>;
export type ConfirmIntent = z.output<typeof confirmIntentParams>;
export type CancelIntent = z.output<typeof cancelIntentParams>;
export type CardInput = z.output<typeof card>;
export type BillingInput = z.output<typeof billingDetails>;
export type AddressInput = z.output<typeof address>;
export type CreateRefund = z.output<typeof createRefundParams>;
export type ListBalanceTransactions = z.output<typeof listBalanceTransactionsParams>;
export type CreateCustomer = z.output<typeof createCustomerParams>;

/** Parses a form into the parameters of an operation. Throws Stripe's error for the first invalid parameter. */
export function readParams<S extends z.ZodType>(schema: S, form: ParsedForm): z.output<S> {
  const result = schema.safeParse(form);
  if (result.success) return result.data;
  throw createParameterError(result.error.issues[0], form);
}

function createParameterError(issue: z.core.$ZodIssue | undefined, form: ParsedForm): ApiError {
  if (!issue) return createInvalidRequest('Invalid parameters.');
  const param = toBracketPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const unknownNames = issue.keys.map((key) => toBracketPath([...issue.path, key]));
    const message = `Received unknown parameter${unknownNames.length > 1 ? 's' : ''}: ${unknownNames.join(', ')}`;
    return createInvalidRequest(message, { code: 'parameter_unknown', param: unknownNames[0] ?? param });
  }
  if (isMissing(form, issue.path)) return missingParameterError(param);
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return createInvalidRequest(`${issue.message} (${param})`, { param, ...(typeof code === 'string' && { code }) });
}

export const missingParameterError = (param: string) =>
  createInvalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

function isMissing(form: ParsedForm, path: PropertyKey[]): boolean {
  let node: ParsedForm | string | undefined = form;
  for (const step of path) node = typeof node === 'object' ? node[String(step)] : undefined;
  return node === undefined;
}

const toBracketPath = ([first, ...rest]: PropertyKey[]) =>
  [String(first ?? ''), ...rest.map((step) => `[${String(step)}]`)].join('');
