import * as z from 'zod';
import type { Operations } from './operation.ts';
import { photoRefusals } from './photos.ts';
import { returnReasons, returnStates } from './return-forms.ts';

/** A return, as its customer and the owner see it. */
export const ReturnView = z
  .object({
    id: z.string(),
    state: z.enum(returnStates),
    /** The names of the frames. */
    frames: z.array(z.string()),
    reason: z.enum(returnReasons),
    words: z.string(),
    /**
     * The customer's photo, which only the customer and the owner can open. Null without one, or after its deletion.
     */
    photoUrl: z.string().nullable(),
    requestedAt: z.iso.datetime(),
    /** The owner's answer to the request. */
    answer: z.string().nullable(),
    answeredAt: z.iso.datetime().nullable(),
    /** The owner's label file, which only the customer and the owner can open. */
    labelUrl: z.string().nullable(),
    /** The owner's link to a label on another site. */
    labelLink: z.string().nullable(),
    receivedAt: z.iso.datetime().nullable(),
    endedAt: z.iso.datetime().nullable(),
    /** What the owner wrote when the return ended. */
    closingWords: z.string().nullable(),
    /** The refund of the return, in integer cents. `isFailed` is true if the refund did not go through. */
    refund: z.object({ amount: z.int(), isFailed: z.boolean() }).nullable(),
  })
  .meta({ id: 'Return' });
export type ReturnView = z.infer<typeof ReturnView>;

/** The returns of one order, and whether its customer may ask for another one. */
export const OrderReturns = z
  .object({
    /** Why no return can be asked for. Null if it can. */
    refusal: z
      .enum(['nothing-to-return', 'return-not-shipped', 'order-canceled', 'nothing-to-refund', 'return-window-over'])
      .nullable(),
    /** The last day on which the customer may ask for a return. Null if the order has not shipped. */
    lastDay: z.iso.date().nullable(),
    /** The frames of the order. `isTaken` is true if a return of the frame is open or has ended with a refund. */
    frames: z.array(z.object({ id: z.string(), name: z.string(), isTaken: z.boolean() })),
    /** Newest first. */
    returns: z.array(ReturnView),
  })
  .meta({ id: 'OrderReturns' });
export type OrderReturns = z.infer<typeof OrderReturns>;

export const returns = {
  'GET /api/orders/:orderNumber/returns': {
    summary: 'Read the returns of an order of the customer, and whether another return can be requested',
    who: 'customer',
    params: z.object({ orderNumber: z.string().max(40) }),
    response: OrderReturns,
    refusals: ['not-found'],
  },
  'POST /api/orders/:orderNumber/returns': {
    summary:
      'Ask to return frames (parts: frameIds separated by commas, reason, words, key: a UUID under which it is stored once, and optionally photo)',
    who: 'customer',
    params: z.object({ orderNumber: z.string().max(40) }),
    multipart: true,
    response: OrderReturns,
    refusals: [
      'not-found',
      'return-incomplete',
      'return-not-shipped',
      'return-window-over',
      'nothing-to-return',
      'order-canceled',
      'nothing-to-refund',
      'return-open',
      'too-many-returns',
      'file-too-large',
      ...photoRefusals,
    ],
    rate: 'return',
  },
  'POST /api/returns/:id/withdraw': {
    summary: 'Withdraw a return before its package has arrived; its photo and label are deleted',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    response: OrderReturns,
    refusals: ['not-found', 'return-changed'],
  },
} satisfies Operations;
