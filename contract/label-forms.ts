import * as z from 'zod/mini';
import { formatDollars } from './catalog.ts';
import { optionalTextField, requiredTextField } from './fields.ts';
import { parseDollarsToCents } from './refund-forms.ts';
import { customsValueText, customsWeightText } from './refusals/labels.ts';
import { tidyCode, toAsciiText } from './tidy.ts';

/**
 * - `quoted`: the prices are known. `buying`: the label service was asked for the label, and the outcome is not known yet.
 * - `bought`, or `failed`: nothing was bought.
 * - `voiding`: the refund was requested. `voided`: the money came back. `void-refused`: it will not, and the label stays
 *   valid.
 */
export const labelStates = ['quoted', 'buying', 'bought', 'failed', 'voiding', 'voided', 'void-refused'] as const;
export type LabelState = (typeof labelStates)[number];

const measureField = (most: number, words: string) =>
  z.number(words).check(
    z.minimum(0.1, words),
    z.maximum(most, words),
    z.refine((it) => Number(it.toFixed(1)) === it, 'Please use at most one digit after the point'),
  );
const ouncesMessage = 'Please enter ounces, from 0.1 to 2400';
const inchesMessage = 'Please enter inches, from 0.1 to 108';

/** The weight of a package in ounces, and its outer size in inches. */
export const LabelParcelForm = z.object({
  weight: measureField(2400, ouncesMessage),
  length: measureField(108, inchesMessage),
  width: measureField(108, inchesMessage),
  height: measureField(108, inchesMessage),
});
export type LabelParcelForm = z.infer<typeof LabelParcelForm>;

/** A frame in its box, until the owner has entered the first package. */
export const usualLabelParcel: LabelParcelForm = { weight: 48, length: 14, width: 11, height: 4 };

/** The contents of a package on its customs form, until the owner has entered others. */
export const usualCustomsDescription = 'Digital picture frame';

const originMessage = 'Please enter two letters, such as CN';
const certifyMessage = 'Please confirm that the customs form is true';
const valueMessage = 'Please enter dollars and cents, such as 199.00';
const customsFields = {
  description: requiredTextField('Please enter what is in the package', 100),
  /** The weight of one frame without packaging, in ounces. */
  weight: measureField(2400, ouncesMessage),
  /** Digits. Dots and spaces are removed. */
  hsTariffNumber: optionalTextField(40).check(
    z.overwrite((it) => tidyCode(it).replace(/[.-]/g, '')),
    z.regex(/^(\d{6,10})?$/, 'Please enter 6 to 10 digits, or leave this empty'),
  ),
  /** The country where the frames are made. */
  originCountry: z.string(originMessage).check(
    z.overwrite((it) => toAsciiText(it).toUpperCase()),
    z.regex(/^[A-Z]{2}$/, originMessage),
  ),
  signer: requiredTextField('Please enter the name of the person who signs', 60),
  isCertified: z.boolean(certifyMessage).check(z.refine((it) => it, certifyMessage)),
};

/** The customs form of a package to Canada, as the call receives it. The number of frames is that of the order. */
export const LabelCustomsBody = z.object({
  ...customsFields,
  hsTariffNumber: z._default(customsFields.hsTariffNumber, ''),
  /** The value of one frame in integer cents. */
  valueCents: z.int(valueMessage).check(z.gte(1, valueMessage), z.lte(1_000_000, valueMessage)),
});
export type LabelCustomsBody = z.infer<typeof LabelCustomsBody>;

/** What the order says about its package. */
export interface CustomsLimits {
  /** The number of frames. */
  quantity: number;
  /** What the customer paid for one frame, without tax. */
  paidCents: number;
}

/** Whether the frames of a package weigh more than the package. */
export const areFramesTooHeavy = (packageOunces: number, frameOunces: number, quantity: number): boolean =>
  Number((frameOunces * quantity).toFixed(1)) > packageOunces;

/** Checks the owner’s form for a package to Canada. */
export const canadaPackageSchema = ({ quantity, paidCents }: CustomsLimits) =>
  z
    .extend(LabelParcelForm, {
      customs: z.object({
        ...customsFields,
        /** The value of one frame, as typed. */
        dollars: z.string().check(
          z.refine((it) => parseDollarsToCents(it) >= 1, { error: valueMessage, abort: true }),
          z.refine((it) => parseDollarsToCents(it) <= paidCents, customsValueText(formatDollars(paidCents))),
        ),
      }),
    })
    .check(
      z.refine(({ weight, customs }) => !areFramesTooHeavy(weight, customs.weight, quantity), {
        error: customsWeightText,
        path: ['customs', 'weight'],
      }),
    );

export type CustomsForm = z.infer<ReturnType<typeof canadaPackageSchema>>['customs'];

/** The price that the owner chooses. */
export const LabelRateForm = z.object({
  rateId: z
    .string('Please choose a service')
    .check(z.minLength(1, 'Please choose a service'), z.maxLength(100, 'Please choose a service')),
});
