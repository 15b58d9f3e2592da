import { useState } from 'react';
import * as z from 'zod/mini';
import { dayText } from '#contract/calendar.ts';
import { type CustomerDetails, detailsForms } from '#contract/customer-details.ts';
import { GiftForm } from '#contract/gift-forms.ts';
import { isGiftShippingDay, giftShippingDayRange, giftShippingDayError } from '#contract/gifts.ts';
import { limits } from '#contract/limits.ts';
import { Checkbox } from '../ui/field.tsx';
import { type ShopForm, TextAreaField, TextField } from '../ui/form.tsx';

const giftSchema = z.extend(GiftForm, {
  shipOn: GiftForm.shape.shipOn.check(
    z.refine((day) => !day || isGiftShippingDay(day, Date.now()), {
      error: () => giftShippingDayError(dayText(giftShippingDayRange(Date.now()).last)),
    }),
  ),
});
/** The validation of the form in step 1 if the order is a gift. */
export const giftFieldSchemas = {
  US: z.extend(detailsForms.US, { gift: giftSchema }),
  CA: z.extend(detailsForms.CA, { gift: giftSchema }),
};

interface Props {
  form: ShopForm<CustomerDetails, CustomerDetails>;
  isGift: boolean;
  onGift: (isGift: boolean) => void;
}

/** A checkbox that makes the order a gift. The gift fields appear only when it is checked. */
export function GiftFields({ form, isGift, onGift }: Props) {
  const [days] = useState(() => giftShippingDayRange(Date.now()));
  const charactersLeft = limits.giftMessageCharacters - (isGift ? (form.watch('gift.message')?.length ?? 0) : 0);
  return (
    <div className="rounded-lg bg-linen p-4 sm:p-5">
      <Checkbox
        label="This is a gift"
        hint="We’ll send it straight to them, with your message on a card and no prices."
        checked={isGift}
        onChange={({ target }) => onGift(target.checked)}
      />
      {isGift && (
        <fieldset className="mt-5 space-y-5">
          <legend className="sr-only">Gift</legend>
          <TextAreaField
            form={form}
            name="gift.message"
            label="Message on the card"
            optional
            rows={3}
            maxLength={limits.giftMessageCharacters}
            hint={`${charactersLeft} ${charactersLeft === 1 ? 'character' : 'characters'} left`}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              form={form}
              name="gift.from"
              label="From"
              optional
              maxLength={limits.giftFromCharacters}
              hint="How to sign the card. If you leave this empty, we’ll use your name."
            />
            <TextField
              form={form}
              name="gift.shipOn"
              type="date"
              label="Ship on"
              optional
              min={days.first}
              max={days.last}
              hint="We won’t ship before this day. Leave it empty to ship as soon as the gift is ready."
            />
          </div>
          <p className="text-[0.9375rem] text-muted">
            We only email you: the receipt, and news about your videos and the package. We don’t contact the person you
            give the gift to.
          </p>
        </fieldset>
      )}
    </div>
  );
}
