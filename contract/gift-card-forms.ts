import * as z from 'zod/mini';
import { dayAfter, isRealDay, toShopDay, type DateLike } from './calendar.ts';
import { pricesInCents } from './catalog.ts';
import { emailAddressField, optionalTextField, requiredEmailField, requiredTextField } from './fields.ts';
import { parseDollarsToCents } from './refund-forms.ts';
import { toAsciiText } from './tidy.ts';

/** What a gift card may be worth, in integer cents. */
const giftCardAmounts = { least: 2_500, most: 50_000 } as const;
/** Amounts that the page offers. */
export const giftCardChoices = [2_500, 5_000, 10_000, 25_000] as const;
/** How many days from today a gift card can be emailed. */
const giftCardDays = 365;
export const giftCardCodeLength = 16;
/** How many gift cards one order may use. */
export const mostGiftCards = 5;
/** For this long, a browser reserves the money of a gift card, from the payment intent until paying. */
export const giftCardHoldMinutes = 10;
/** The link with which the buyer prints a gift card works for this long. */
export const giftCardLinkDays = 365;
export const giftCardMessageCharacters = 300;

/** The first and the last day on which a gift card can be emailed, both inclusive. */
export const giftCardDayRange = (now: DateLike) => ({
  first: toShopDay(now),
  last: dayAfter(toShopDay(now), giftCardDays),
});

/** Capital letters and digits only. People type codes with spaces, hyphens and small letters. */
export const tidyGiftCardCode = (typed: string) =>
  toAsciiText(typed)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '');

/** A code in groups of four, so that people can read and type it. */
export const giftCardCodeText = (code: string) => code.replaceAll(/(.{4})(?=.)/g, '$1-');

const codeMessage = `Please enter the ${giftCardCodeLength} characters of the gift card`;
export const GiftCardCodeField = z
  .string(codeMessage)
  .check(z.maxLength(60, codeMessage), z.overwrite(tidyGiftCardCode), z.length(giftCardCodeLength, codeMessage));
export const GiftCardCodeForm = z.object({ code: GiftCardCodeField });

const amountMessage = 'Please choose an amount from $25 to $500';
const dayMessage = 'Please choose a day';

/** The purchase of a gift card. `recipientEmail` and `deliverOn` are empty or absent if the buyer prints it. */
const fields = {
  recipientName: requiredTextField('Please enter who the gift card is for', 60),
  senderName: requiredTextField('Please enter your name', 60),
  buyerEmail: requiredEmailField('Please enter your email address'),
  message: z.optional(optionalTextField(giftCardMessageCharacters)),
};

export const GiftCardBody = z.object({
  ...fields,
  /** A card worth the price of a Kinframe. `amountCents` is then ignored. */
  isForFrame: z.boolean(),
  amountCents: z.optional(
    z.int(amountMessage).check(z.gte(giftCardAmounts.least, amountMessage), z.lte(giftCardAmounts.most, amountMessage)),
  ),
  /** Absent: the buyer prints the card. */
  recipientEmail: z.optional(emailAddressField),
  /** The day of the email. Absent: today. */
  deliverOn: z.optional(z.string().check(z.refine(isRealDay, dayMessage))),
});

/** The form on the page. All values are text or yes and no; `giftCardBodyOf` makes the request from them. */
export const GiftCardForm = z
  .object({
    ...fields,
    /** `frame`, `other` or an amount in cents. */
    worth: z.string(),
    dollars: z.string(),
    delivery: z.enum(['email', 'print']),
    recipientEmail: z.string(),
    deliverOn: z.string(),
  })
  .check(
    z.refine(({ worth, dollars }) => worth !== 'other' || isValidAmount(parseDollarsToCents(dollars)), {
      path: ['dollars'],
      error: amountMessage,
      when: () => true,
    }),
    z.refine(
      ({ delivery, recipientEmail }) => delivery === 'print' || emailAddressField.safeParse(recipientEmail).success,
      {
        path: ['recipientEmail'],
        error: 'Please enter a valid email address',
        when: () => true,
      },
    ),
    z.refine(({ delivery, deliverOn }) => delivery === 'print' || deliverOn === '' || isRealDay(deliverOn), {
      path: ['deliverOn'],
      error: dayMessage,
      when: () => true,
    }),
  );
export type GiftCardFormValues = z.output<typeof GiftCardForm>;

const isValidAmount = (cents: number) => cents >= giftCardAmounts.least && cents <= giftCardAmounts.most;

/** The value of a form in cents; undefined while no valid amount is chosen. */
export function giftCardCentsOf({ worth, dollars }: Pick<GiftCardFormValues, 'worth' | 'dollars'>): number | undefined {
  if (worth === 'frame') return pricesInCents.kinframe;
  const cents = worth === 'other' ? parseDollarsToCents(dollars) : Number(worth);
  return isValidAmount(cents) ? cents : undefined;
}

export const giftCardBodyOf = (values: GiftCardFormValues): z.input<typeof GiftCardBody> => {
  const { worth, delivery, recipientEmail, deliverOn, recipientName, senderName, buyerEmail, message } = values;
  const amountCents = giftCardCentsOf(values);
  return {
    recipientName,
    senderName,
    buyerEmail,
    ...(message && { message }),
    isForFrame: worth === 'frame',
    ...(amountCents !== undefined && { amountCents }),
    ...(delivery === 'email' && { recipientEmail, ...(deliverOn !== '' && { deliverOn }) }),
  };
};

/** The owner's form for sending a card again. */
export const ResendGiftCardForm = z.object({ recipientEmail: requiredEmailField('Please enter an email address') });
/** The owner's form for voiding a card. The audit trail stores the reason. */
export const VoidGiftCardForm = z.object({
  reason: requiredTextField('Please enter a reason', 500),
  /** Refund the whole purchase. Possible only while the card is unused. */
  refund: z.boolean(),
});
