import * as z from 'zod';
import { cartProducts } from '#contract/catalog.ts';
import type { Operations } from '#contract/operation.ts';
import { PhoneCustomerForm, PhoneOrderForm } from '#contract/phone-order-forms.ts';

const id = z.object({ id: z.string().max(64) });

/** `over`: it was not paid within its days. */
const phoneOrderStates = ['open', 'paid', 'canceled', 'over'] as const;

export const PhoneOrderView = z
  .object({
    id: z.string(),
    productId: z.enum(cartProducts),
    quantity: z.int(),
    extraPackages: z.int(),
    promoCode: z.string().nullable(),
    /** Null after an erasure. */
    customer: z.nullable(PhoneCustomerForm),
    note: z.string(),
    state: z.enum(phoneOrderStates),
    /** Integer cents at the current prices, after the discount and without tax. Null if it cannot be bought now. */
    totalAmount: z.int().nullable(),
    createdAt: z.iso.datetime(),
    /** When the link was last emailed. */
    sentAt: z.iso.datetime().nullable(),
    /** When the link was first opened. */
    openedAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime(),
    /** The order that the link has become. */
    order: z.object({ id: z.string(), orderNumber: z.string() }).nullable(),
  })
  .meta({ id: 'PhoneOrder' });
export type PhoneOrderView = z.infer<typeof PhoneOrderView>;

const changeRefusals = ['not-found', 'phone-order-ended'] as const;

export const ownerPhoneOrders = {
  'GET /api/admin/phone-orders': {
    summary: 'List the newest orders by phone with the state of their payment links, up to 200',
    who: 'admin',
    area: 'orders',
    response: z.array(PhoneOrderView),
  },
  'POST /api/admin/phone-orders': {
    summary: 'Make a cart for a customer, with a link that pays it, and email the link if asked',
    who: 'admin',
    area: 'orders',
    body: PhoneOrderForm,
    response: z.object({ phoneOrder: PhoneOrderView, payUrl: z.string() }),
    refusals: [
      'unknown-product',
      'bundle-needs-frame',
      'one-service',
      'promo-code-unknown',
      'promo-code-too-early',
      'promo-code-expired',
      'promo-code-used-up',
      'sold-out',
      'too-few-frames',
      'tax-location-unknown',
      'payment-provider-unavailable',
      'phone-orders-full',
    ],
  },
  'POST /api/admin/phone-orders/:id/send': {
    summary: 'Email the payment link to the customer, again or for the first time',
    who: 'admin',
    area: 'orders',
    params: id,
    response: PhoneOrderView,
    refusals: [...changeRefusals, 'phone-order-unpriced', 'phone-order-mailed'],
  },
  'POST /api/admin/phone-orders/:id/link': {
    summary: 'Create another payment link for the same cart, to copy. Earlier links keep working',
    who: 'admin',
    area: 'orders',
    params: id,
    response: z.object({ payUrl: z.string() }),
    refusals: changeRefusals,
  },
  'POST /api/admin/phone-orders/:id/cancel': {
    summary: 'End the payment link of an order by phone',
    who: 'admin',
    area: 'orders',
    params: id,
    response: PhoneOrderView,
    refusals: changeRefusals,
  },
} satisfies Operations;
