import * as z from 'zod';
import { AddonQuantity } from './cart-form.ts';
import { TaxLocationForm } from './customer-details.ts';
import { GiftCardCodeField, mostGiftCards } from './gift-card-forms.ts';
import type { Operations } from './operation.ts';
import { OrderLine } from './orders.ts';

const verifiedResponse = {
  response: z.object({
    success: z.boolean(),
    message: z.string(),
    error: z.string().optional(),
    /** processing: the bank has not decided yet; send the request again later. */
    status: z.enum(['paid', 'processing']),
    /** The frame that received the extra places. */
    deviceId: z.string().optional(),
  }),
  refusals: [
    'payment-not-found',
    'payment-not-finished',
    'payment-mismatch',
    'addon-given-back',
    'gift-card-lost',
    'frame-refunded',
    'payment-unconfirmed',
  ],
  rate: 'verify-payment',
} as const;

/** Extra photo packages for a frame that the customer owns. Amounts are in integer cents. */
export const addons = {
  'POST /api/create-addon-payment-intent': {
    summary: 'Price extra photo packages for a frame and create an intent at the payment provider',
    who: 'customer',
    body: z.object({
      deviceId: z.string('Please choose a frame.').min(1, 'Please choose a frame.').max(64),
      quantity: AddonQuantity,
      /** Needed when tax is collected and the frame was not shipped to an address. */
      taxLocation: z.optional(TaxLocationForm),
      giftCards: z.array(GiftCardCodeField).max(mostGiftCards).optional(),
    }),
    response: z.object({
      /** Empty if gift cards pay everything. Then send POST /api/verify-addon-payment instead of paying by card. */
      clientSecret: z.string(),
      paymentIntentId: z.string(),
      /** Which card form to show: the sandbox's form, or Stripe's form with this key. */
      provider: z.enum(['sandbox', 'stripe']),
      publishableKey: z.string().optional(),
      deviceName: z.string(),
      lines: z.array(OrderLine),
      subtotalAmount: z.int(),
      taxAmount: z.int(),
      taxRate: z.string().optional(),
      taxJurisdiction: z.string().optional(),
      totalAmount: z.int(),
      /** The part of the total that each gift card pays, and what is left to pay by card. */
      giftCards: z.array(z.object({ lastFour: z.string(), amount: z.int() })),
      dueAmount: z.int(),
    }),
    refusals: [
      'not-found',
      'frame-refunded',
      'gift-card-unknown',
      'gift-card-void',
      'gift-card-empty',
      'gift-card-reserved',
      'tax-location-needed',
      'tax-location-unknown',
      'payment-provider-unavailable',
    ],
    rate: 'payment-intent',
  },
  'POST /api/verify-addon-payment': {
    summary: 'Add the photo slots of a paid intent to its frame, exactly once; gift cards that pay everything pay now',
    who: 'customer',
    body: z.object({ paymentIntentId: z.string().min(1).max(255) }),
    ...verifiedResponse,
  },
  'POST /api/verify-addon-checkout': {
    summary: 'Add the photo slots of the provider’s checkout session to its frame, if the session is paid',
    who: 'customer',
    body: z.object({ sessionId: z.string().min(1).max(255) }),
    ...verifiedResponse,
  },
} satisfies Operations;
