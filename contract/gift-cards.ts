import * as z from 'zod';
import { GiftCardBody, GiftCardCodeForm } from './gift-card-forms.ts';
import type { Operations } from './operation.ts';

/** The token of a purchase: from the browser that bought it, or from the link in the buyer's receipt. */
const GiftCardToken = z.string().min(1).max(200);

/** A purchase as its buyer sees it. It never contains the code. Amounts are in integer cents. */
export const BoughtGiftCard = z
  .object({
    number: z.string(),
    isForFrame: z.boolean(),
    amount: z.int(),
    state: z.enum(['unpaid', 'active', 'void']),
    recipientName: z.string(),
    senderName: z.string(),
    recipientEmail: z.string().nullable(),
    /** The day of the email; null if the buyer prints the card. */
    deliverOn: z.iso.date().nullable(),
    isSent: z.boolean(),
  })
  .meta({ id: 'BoughtGiftCard' });
export type BoughtGiftCard = z.infer<typeof BoughtGiftCard>;

export const giftCards = {
  'POST /api/gift-cards/payment-intent': {
    summary: 'Start the payment of a gift card',
    who: 'anyone',
    body: z.object({
      ...GiftCardBody.shape,
      /** The token of this browser's earlier try, which this one replaces. */
      replaces: GiftCardToken.optional(),
    }),
    response: z.object({
      clientSecret: z.string(),
      paymentIntentId: z.string(),
      provider: z.enum(['sandbox', 'stripe']),
      publishableKey: z.string().optional(),
      totalAmount: z.int(),
      /** Opens the purchase. Keep it in the browser. */
      token: z.string(),
    }),
    refusals: ['gift-card-day-outside', 'payment-provider-unavailable'],
    rate: 'payment-intent',
  },
  'POST /api/gift-cards/verify-payment': {
    summary: 'Create the gift card of a paid intent, exactly once',
    who: 'anyone',
    body: z.object({ paymentIntentId: z.string().min(1).max(255) }),
    response: z.object({
      success: z.boolean(),
      /** processing: the bank has not decided yet; send the request again later. */
      status: z.enum(['paid', 'processing']),
    }),
    refusals: ['payment-not-found', 'payment-not-finished', 'payment-mismatch', 'payment-unconfirmed'],
    rate: 'verify-payment',
  },
  'POST /api/gift-cards/bought': {
    summary: 'Read a purchase of a gift card with its token',
    who: 'anyone',
    body: z.object({ token: GiftCardToken }),
    response: BoughtGiftCard,
    refusals: ['not-found'],
    rate: 'token-validation',
  },
  'POST /api/gift-cards/print': {
    summary: 'Draw a card that its buyer prints as a PDF, with a new code',
    who: 'anyone',
    body: z.object({ token: GiftCardToken }),
    response: z.object({
      fileName: z.string(),
      /** The file in base64. */
      pdf: z.string(),
    }),
    refusals: ['not-found', 'gift-card-codes-used-up'],
    rate: 'gift-card',
  },
  'POST /api/gift-cards/balance': {
    summary: 'Read the balance of the gift card with a code',
    who: 'anyone',
    body: GiftCardCodeForm,
    response: z.object({
      lastFour: z.string(),
      amount: z.int(),
      balance: z.int(),
      /** The part of the balance that no checkout reserves at the moment. */
      available: z.int(),
    }),
    refusals: ['gift-card-unknown', 'gift-card-void'],
    rate: 'gift-card',
  },
} satisfies Operations;
