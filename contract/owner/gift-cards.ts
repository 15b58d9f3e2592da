import * as z from 'zod';
import { ResendGiftCardForm, VoidGiftCardForm } from '#contract/gift-card-forms.ts';
import { listQuerySchema, listRefusals, listResponseSchema } from '#contract/lists.ts';
import type { Operations } from '#contract/operation.ts';

const id = z.object({ id: z.string().max(64) });

/** A sold gift card. It never contains the code. Amounts are in integer cents. */
export const AdminGiftCard = z
  .object({
    id: z.string(),
    number: z.string(),
    isForFrame: z.boolean(),
    amount: z.int(),
    balance: z.int(),
    state: z.enum(['active', 'void']),
    /** The last four characters of the newest code; null if none was sent or printed yet. */
    lastFour: z.string().nullable(),
    recipientName: z.string(),
    recipientEmail: z.string().nullable(),
    senderName: z.string(),
    buyerEmail: z.string(),
    /** The day of the email; null if the buyer prints the card. */
    deliverOn: z.iso.date().nullable(),
    sentAt: z.iso.datetime().nullable(),
    soldAt: z.iso.datetime(),
    voidedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AdminGiftCard' });
export type AdminGiftCard = z.infer<typeof AdminGiftCard>;

export const giftCardSorts = ['date'] as const;
export const giftCardFilters = ['active', 'void'] as const;
export const giftCardsQuery = listQuerySchema({ sorts: giftCardSorts, filters: giftCardFilters });

export const ownerGiftCards = {
  'GET /api/admin/lists/gift-cards': {
    summary: 'Read a page of sold gift cards: searched by number, name, address and last four, filtered by state',
    who: 'admin',
    area: 'money',
    query: giftCardsQuery,
    response: listResponseSchema(AdminGiftCard),
    refusals: listRefusals,
  },
  'GET /api/admin/gift-cards/owed': {
    summary: 'Read the total balance of all active gift cards',
    who: 'admin',
    area: 'money',
    response: z.object({ owedAmount: z.int(), cards: z.int() }),
  },
  'POST /api/admin/gift-cards/:id/resend': {
    summary: 'End the codes of a gift card and email it with a new code',
    who: 'admin',
    area: 'money',
    params: id,
    body: ResendGiftCardForm,
    response: AdminGiftCard,
    refusals: ['not-found', 'gift-card-not-active'],
    stepUp: true,
  },
  'POST /api/admin/gift-cards/:id/void': {
    summary: 'Void a gift card and, if it is unused, refund its purchase',
    who: 'admin',
    area: 'money',
    params: id,
    body: VoidGiftCardForm,
    response: AdminGiftCard,
    refusals: ['not-found', 'gift-card-not-active', 'gift-card-used', 'payment-disputed'],
    stepUp: true,
  },
} satisfies Operations;
