import * as z from 'zod/mini';
import { optionalTextField, requiredTextField, tidyTextCheck } from './fields.ts';
import { limits } from './limits.ts';

/**
 * The states of a return. The customer asks for it (`requested`), the owner answers (`approved` or `declined`), the
 * package arrives (`received`), and it ends (`refunded`, `replaced`, `closed`). The customer may withdraw it before the
 * package arrives.
 */
export const returnStates = [
  'requested',
  'approved',
  'declined',
  'received',
  'refunded',
  'replaced',
  'closed',
  'withdrawn',
] as const;
export type ReturnState = (typeof returnStates)[number];

/** The states in which the owner or the customer still has something to do. */
export const openReturnStates = ['requested', 'approved', 'received'] as const satisfies ReturnState[];
export const isOpenReturn = ({ state }: { state: ReturnState }): boolean =>
  (openReturnStates as readonly ReturnState[]).includes(state);

export const returnReasons = ['changed-mind', 'damaged', 'defective', 'wrong-item', 'other'] as const;
export type ReturnReason = (typeof returnReasons)[number];

/** The reasons as the customer chooses them. The owner reads the same texts. */
export const returnReasonTexts: Record<ReturnReason, string> = {
  'changed-mind': 'I changed my mind',
  damaged: 'It arrived damaged',
  defective: 'It doesn’t work',
  'wrong-item': 'I got the wrong item',
  other: 'Another reason',
};

/** What the customer enters to ask for a return. A photo is sent with it, but it is not part of the form's values. */
export const ReturnForm = z
  .object({
    frameIds: z
      .array(z.string().check(z.maxLength(64)))
      .check(z.minLength(1, 'Please choose a frame'), z.maxLength(limits.mostFramesOfReturn)),
    reason: z.enum(returnReasons, 'Please choose a reason'),
    words: optionalTextField(limits.returnCharacters),
  })
  .check(
    z.refine(({ reason, words }) => reason !== 'other' || words !== '', {
      path: ['words'],
      error: 'Please describe the reason',
    }),
  );

const invalidLinkMessage = 'Please enter a link that starts with https://';

const answerFields = {
  /** What the customer should do. The customer sees it in the email and in the order. */
  answer: optionalTextField(limits.returnCharacters),
  /** The page of a carrier where the customer gets a shipping label. */
  labelLink: z
    .string()
    .check(
      tidyTextCheck,
      z.maxLength(500, invalidLinkMessage),
      z.regex(/^(https:\/\/[^\s/]+\.[^\s]+)?$/i, invalidLinkMessage),
    ),
};
/** Whether the customer gets an email. */
const mailCustomerField = z.boolean();

/** The owner's form to approve a return. A label file may come with it. */
export const ApproveReturnForm = z.object({ ...answerFields, tellCustomer: mailCustomerField });

/** The owner's form to decline a return. The customer sees the reason. */
export const DeclineReturnForm = z.object({
  reason: requiredTextField('Please enter a reason', limits.returnCharacters),
  tellCustomer: mailCustomerField,
});

/** The owner's form when a returned package has arrived. */
export const ReceiveReturnForm = z.object({ tellCustomer: mailCustomerField });

export const returnOutcomes = ['replaced', 'closed'] as const;

/** The owner's form to end a return without a refund. */
export const CloseReturnForm = z.object({
  outcome: z.enum(returnOutcomes, 'Please choose how it ended'),
  /** What the customer should know, such as the tracking number of the replacement. */
  words: optionalTextField(limits.returnCharacters),
  tellCustomer: mailCustomerField,
});
