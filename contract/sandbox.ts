import * as z from 'zod';
import type { Operations } from './operation.ts';

const SentMail = z.object({ id: z.string(), subject: z.string(), to: z.string(), date: z.iso.datetime() });
const id = z.object({ id: z.string().max(200) });
const SuccessMessage = z.object({ success: z.boolean(), message: z.string() });

export const SandboxPayment = z
  .object({
    id: z.string(),
    /** The provider's status: requires_payment_method, processing, succeeded … */
    status: z.string(),
    /** Integer cents. */
    amount: z.int(),
    refundedAmount: z.int(),
    isDisputed: z.boolean(),
    description: z.string().nullable(),
    email: z.string().nullable(),
    card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
    /** The error of the last attempt, as the buyer saw it. */
    lastError: z.string().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'SandboxPayment' });
export type SandboxPayment = z.infer<typeof SandboxPayment>;

/**
 * Operations of the demo's sandbox page, which shows emails and payments. A shop that sells for real does not have
 * them.
 */
export const sandbox = {
  'GET /api/sandbox': {
    summary: 'Demo only: read the sample accounts, and until when the payment provider is switched off',
    who: 'anyone',
    response: z.object({
      /** Sample customers of this shop. */
      people: z.array(z.object({ name: z.string(), email: z.string(), password: z.string() })),
      /** Until when the payment provider is switched off. Null while it is on. */
      downUntil: z.iso.datetime().nullable(),
    }),
    refusals: ['admin-needed', 'address-not-allowed'],
  },
  'GET /api/sandbox/mails': {
    summary: 'Demo only: list the sent emails, newest first, 20 per page',
    who: 'anyone',
    query: z.object({ page: z.coerce.number().int().min(1).max(100_000).default(1) }),
    response: z.object({ pages: z.int(), mails: z.array(SentMail) }),
    refusals: ['admin-needed', 'address-not-allowed'],
  },
  'GET /api/sandbox/mails/:id': {
    summary: 'Demo only: read one email; its page is at `htmlPath`',
    who: 'anyone',
    params: id,
    response: SentMail.extend({ from: z.string(), text: z.string(), htmlPath: z.string() }),
    refusals: ['not-found', 'admin-needed', 'address-not-allowed'],
  },
  'GET /api/sandbox/letters': {
    summary: 'Demo only: list a sample of every letter',
    who: 'anyone',
    response: z.array(
      z.object({ id: z.string(), name: z.string(), subject: z.string(), text: z.string(), htmlPath: z.string() }),
    ),
    refusals: ['admin-needed', 'address-not-allowed'],
  },
  'GET /api/sandbox/payments': {
    summary: 'Demo only: list the payments, newest first',
    who: 'anyone',
    response: z.array(SandboxPayment),
    refusals: ['admin-needed', 'address-not-allowed'],
  },
  'POST /api/sandbox/payments/:id/refund': {
    summary: 'Demo only: refund a payment at the provider, as in its dashboard; without an amount, refund the rest',
    who: 'anyone',
    params: id,
    body: z.object({ amountCents: z.int().min(1).max(100_000_000).optional() }),
    response: SuccessMessage,
    refusals: ['not-found', 'sandbox-refused', 'payment-provider-unavailable', 'admin-needed', 'address-not-allowed'],
  },
  'POST /api/sandbox/payments/:id/dispute': {
    summary: 'Demo only: dispute a payment, as the buyer’s bank does',
    who: 'anyone',
    params: id,
    response: SuccessMessage,
    refusals: ['not-found', 'sandbox-refused', 'admin-needed', 'address-not-allowed'],
  },
  'POST /api/sandbox/payments/:id/fraud-warning': {
    summary: 'Demo only: report a payment as likely fraud, as the card’s issuer does',
    who: 'anyone',
    params: id,
    response: SuccessMessage,
    refusals: ['not-found', 'sandbox-refused', 'admin-needed', 'address-not-allowed'],
  },
  'POST /api/sandbox/settle-delayed': {
    summary: 'Demo only: complete the payments that are still processing',
    who: 'anyone',
    response: SuccessMessage,
    refusals: ['admin-needed', 'address-not-allowed'],
  },
  'POST /api/sandbox/outage': {
    summary: 'Demo only: switch the payment provider off for some seconds; 0 switches it on',
    who: 'anyone',
    body: z.object({ seconds: z.int().min(0).max(600) }),
    response: z.object({ downUntil: z.iso.datetime().nullable() }),
    refusals: ['admin-needed', 'address-not-allowed'],
  },
} satisfies Operations;
