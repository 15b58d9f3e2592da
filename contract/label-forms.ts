import * as z from 'zod/mini';

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
const inches = 'Please enter inches, from 0.1 to 108';

/** The weight of a package in ounces, and its outer size in inches. */
export const LabelParcelForm = z.object({
  weight: measureField(2400, 'Please enter ounces, from 0.1 to 2400'),
  length: measureField(108, inches),
  width: measureField(108, inches),
  height: measureField(108, inches),
});
export type LabelParcelForm = z.infer<typeof LabelParcelForm>;

/** A frame in its box, until the owner has entered the first package. */
export const usualLabelParcel: LabelParcelForm = { weight: 48, length: 14, width: 11, height: 4 };

/** The price that the owner chooses. */
export const LabelRateForm = z.object({
  rateId: z
    .string('Please choose a service')
    .check(z.minLength(1, 'Please choose a service'), z.maxLength(100, 'Please choose a service')),
});
