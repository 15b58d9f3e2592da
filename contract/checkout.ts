import * as z from 'zod';
import { TokenBody } from './account-forms.ts';
import { cartProducts } from './catalog.ts';
import { GiftCardCodeField, mostGiftCards } from './gift-card-forms.ts';
import { CartBody, PromoCodeField } from './cart-form.ts';
import { CustomerDetailsForm, PartialAddressForm } from './customer-details.ts';
import { PhoneCustomerForm } from './phone-order-forms.ts';
import { OrderLine } from './orders.ts';
import type { Operations } from './operation.ts';

const promoCodeRefusals = [
  'promo-code-unknown',
  'promo-code-too-early',
  'promo-code-expired',
  'promo-code-used-up',
] as const;

/** The amounts of a cart, in integer cents. */
const amountFields = {
  lines: z.array(OrderLine),
  subtotalAmount: z.int(),
  discountAmount: z.int(),
  /** The promo code of the discount, spelled as the owner entered it. */
  promoCode: z.string().optional(),
};
/** What the browser needs to show the payment provider's form or buttons. */
const providerFields = {
  /** Which form to show: the sandbox's, or Stripe's with this key. */
  provider: z.enum(['sandbox', 'stripe']),
  publishableKey: z.string().optional(),
};
const VerifiedPayment = z.object({
  success: z.boolean(),
  error: z.string().optional(),
  /** processing: the bank has not decided yet; send the request again later. */
  status: z.enum(['paid', 'processing']),
  needsRegistration: z.boolean(),
  /** The order-access token, returned once to the browser that paid. */
  session: z.string().optional(),
  user: z.object({ id: z.string(), photoLimit: z.int() }).optional(),
});

export const checkout = {
  'POST /api/price-cart': {
    summary: 'Calculate what a cart costs at an address, without starting a payment',
    who: 'anyone',
    body: z.object({
      ...CartBody.shape,
      promoCode: z.optional(PromoCodeField),
      /** Without an address, no tax is calculated. */
      address: z.optional(PartialAddressForm),
    }),
    response: z.object({
      ...providerFields,
      ...amountFields,
      /** Absent if the shop collects tax and the address is not known yet. */
      taxAmount: z.int().optional(),
      totalAmount: z.int(),
      /** Whether the payment will be authorized first and captured later. The wallet must know this in advance. */
      isCapturedLater: z.boolean(),
    }),
    refusals: [
      'unknown-product',
      'bundle-needs-frame',
      'one-service',
      'tax-location-unknown',
      ...promoCodeRefusals,
      'sold-out',
      'too-few-frames',
      'payment-provider-unavailable',
    ],
    rate: 'cart-price',
  },
  'POST /api/create-payment-intent': {
    summary: 'Price the cart and create an intent at the payment provider',
    who: 'anyone',
    body: z.object({
      ...CartBody.shape,
      customerDetails: z.optional(CustomerDetailsForm),
      promoCode: z.optional(PromoCodeField),
      /** Whether a wallet gave the address. The wallet also gives it to the payment provider, so the shop does not. */
      isFromWallet: z.optional(z.boolean()),
      giftCards: z.array(GiftCardCodeField).max(mostGiftCards).optional(),
    }),
    response: z.object({
      /** Empty if gift cards pay everything. Then send POST /api/pay-with-gift-cards instead of paying by card. */
      clientSecret: z.string(),
      paymentIntentId: z.string(),
      ...providerFields,
      ...amountFields,
      taxAmount: z.int(),
      /** The percentage and the jurisdiction. Absent if no tax was calculated. */
      taxRate: z.string().optional(),
      taxJurisdiction: z.string().optional(),
      totalAmount: z.int(),
      /** The part of the total that each gift card pays, and what is left to pay by card. */
      giftCards: z.array(z.object({ lastFour: z.string(), amount: z.int() })),
      dueAmount: z.int(),
    }),
    refusals: [
      'unknown-product',
      'bundle-needs-frame',
      'one-service',
      'details-needed',
      'gift-needs-parcel',
      'gift-day-outside',
      'tax-location-needed',
      'tax-location-unknown',
      ...promoCodeRefusals,
      'gift-card-unknown',
      'gift-card-void',
      'gift-card-empty',
      'gift-card-reserved',
      'sold-out',
      'too-few-frames',
      'payment-link-paid',
      'payment-link-over',
      'payment-provider-unavailable',
    ],
    rate: 'payment-intent',
  },
  'POST /api/check-promo-code': {
    summary: 'Read the discount of a promo code for a cart, without reserving a use of the code',
    who: 'anyone',
    body: z.object({ ...CartBody.shape, promoCode: PromoCodeField }),
    response: z.object({
      /** The promo code, spelled as the owner entered it. */
      promoCode: z.string(),
      discountAmount: z.int(),
    }),
    refusals: ['unknown-product', 'bundle-needs-frame', 'one-service', ...promoCodeRefusals],
    rate: 'promo-code',
  },
  'POST /api/cart-link': {
    summary: 'Open the cart of a link in a cart reminder or of an order by phone, and note that the buyer came',
    who: 'anyone',
    body: TokenBody,
    response: z.object({
      cart: z.object({ productId: z.enum(cartProducts), quantity: z.int(), extraPackages: z.int() }),
      promoCode: z.string().nullable(),
      /** Absent if the details are not complete. */
      customerDetails: z.optional(CustomerDetailsForm),
      /** What the owner knows of the customer, if the details are not complete. */
      knownDetails: z.optional(PhoneCustomerForm),
    }),
    refusals: ['cart-link-invalid', 'payment-link-paid', 'payment-link-over', 'unknown-product'],
    rate: 'token-validation',
  },
  'POST /api/verify-payment': {
    summary: 'Create the order of a paid intent, exactly once',
    who: 'anyone',
    body: z.object({ paymentIntentId: z.string().min(1).max(255) }),
    response: VerifiedPayment,
    refusals: [
      'payment-not-found',
      'payment-not-finished',
      'promo-code-lost',
      'frames-lost',
      'gift-card-lost',
      'payment-mismatch',
      'payment-unconfirmed',
    ],
    rate: 'verify-payment',
  },
  'POST /api/pay-with-gift-cards': {
    summary: 'Place the order of a cart that gift cards pay completely, exactly once',
    who: 'anyone',
    body: z.object({ paymentIntentId: z.string().min(1).max(255) }),
    response: VerifiedPayment,
    refusals: [
      'payment-not-found',
      'payment-not-finished',
      'promo-code-lost',
      'frames-lost',
      'gift-card-lost',
      'payment-mismatch',
    ],
    rate: 'verify-payment',
  },
} satisfies Operations;
