import * as z from 'zod';
import { listAnswer, listQuery, listRefusals } from '#contract/lists.ts';
import { orderStatuses, purchase } from '#contract/orders.ts';
import { RefundBody } from '#contract/refund-forms.ts';
import { ShipmentBody } from '#contract/shipment-forms.ts';
import type { Operations } from '#contract/operation.ts';

const id = z.object({ id: z.string().max(64) });

export const refundStates = ['asking', 'pending', 'succeeded', 'failed'] as const;
export const AdminRefund = z
  .object({
    id: z.string(),
    /** Integer cents. */
    amount: z.int(),
    reason: z.string(),
    /** asking: the provider has not answered yet; pending: it is on its way; failed: the money never left. */
    state: z.enum(refundStates),
    photosWithdrawn: z.int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AdminRefund' });
export type AdminRefund = z.infer<typeof AdminRefund>;

export const AdminDispute = z
  .object({
    id: z.string(),
    amount: z.int(),
    /** As the provider names them. */
    reason: z.string(),
    status: z.string(),
    /** The bank has not decided yet. */
    isOpen: z.boolean(),
    /** The bank has the money, so nothing of the order can be refunded. */
    holdsMoney: z.boolean(),
    respondBy: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AdminDispute' });
export type AdminDispute = z.infer<typeof AdminDispute>;

/** The card's issuer suspects fraud; a refund before a dispute avoids its fee. */
export const AdminFraudWarning = z
  .object({
    id: z.string(),
    /** As the provider names it. */
    fraudType: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AdminFraudWarning' });
export type AdminFraudWarning = z.infer<typeof AdminFraudWarning>;

export const AdminOrder = z
  .object({
    ...purchase,
    customerId: z.string().nullable(),
    customerEmail: z.string(),
    /** As the buyer typed it; null where they did not. */
    customerPhone: z.string().nullable(),
    /** Oldest first. */
    refunds: z.array(AdminRefund),
    disputes: z.array(AdminDispute),
    fraudWarnings: z.array(AdminFraudWarning),
    /** Whether anything of it travels in a parcel. */
    isShippable: z.boolean(),
    orderStatus: z.enum(orderStatuses),
    notes: z.string(),
    stripePaymentIntentId: z.string(),
    updatedAt: z.iso.datetime(),
    /** History, oldest first. */
    events: z.array(z.object({ kind: z.string(), words: z.string(), at: z.iso.datetime() })),
  })
  .meta({ id: 'AdminOrder' });
export type AdminOrder = z.infer<typeof AdminOrder>;

export const orderSorts = ['date', 'customer', 'total', 'status'] as const;
/** By status; `gifts` are those that are not sent yet. */
export const orderFilters = [...orderStatuses, 'gifts'] as const;
export const ordersQuery = listQuery({ sorts: orderSorts, filters: orderFilters });

const notes = z.string().max(5000).optional();

export const ownerOrders = {
  'GET /api/admin/orders': {
    summary: 'Paid orders, newest first; the next ones by the answer’s Link header',
    who: 'admin',
    query: ordersQuery,
    response: z.array(AdminOrder),
    refusals: listRefusals,
  },
  'GET /api/admin/lists/orders': {
    summary: 'A page of the paid orders: found by number, name, e-mail and payment intent, filtered by status, sorted',
    who: 'admin',
    query: ordersQuery,
    response: listAnswer(AdminOrder),
    refusals: listRefusals,
  },
  'GET /api/admin/orders/:id': {
    summary: 'One paid order',
    who: 'admin',
    params: id,
    response: AdminOrder,
    refusals: ['not-found'],
  },
  'PUT /api/admin/orders/:id': {
    summary: 'Set an order’s status and the owner’s notes',
    who: 'admin',
    params: id,
    body: z.object({
      status: z.enum(orderStatuses).optional(),
      notes,
      /** What they were when somebody began to edit them: `theirs` of the refusal is what stands there by now. */
      notesBefore: notes,
    }),
    response: AdminOrder,
    refusals: ['not-found', 'notes-changed'],
  },
  'GET /api/admin/orders/:id/refunds': {
    summary: 'What can still be given back of an order, to which card, and the unused photos that would go with it',
    who: 'admin',
    params: id,
    response: z.object({
      /** Integer cents. */
      remainingAmount: z.int(),
      /** Null while the provider cannot be asked. */
      card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
      /** Room without a photo in frames that are not finalized. */
      unusedPhotos: z.int(),
      /** Whole extra packages among it, and what one cost. */
      unusedPackages: z.int(),
      packageAmount: z.int(),
    }),
    refusals: ['not-found'],
  },
  'POST /api/admin/orders/:id/refunds': {
    summary: 'Give all or part of an order’s money back, and take unused photos with it',
    who: 'admin',
    params: id,
    body: RefundBody,
    response: AdminOrder,
    refusals: ['not-found', 'nothing-to-refund', 'refund-too-large', 'payment-disputed'],
  },
  'POST /api/admin/orders/:id/shipment': {
    summary: 'Set an order to shipped, or correct its parcel; the customer is told once, and again when asked for',
    who: 'admin',
    params: id,
    body: ShipmentBody,
    response: AdminOrder,
    refusals: ['not-found', 'nothing-to-ship'],
  },
} satisfies Operations;
