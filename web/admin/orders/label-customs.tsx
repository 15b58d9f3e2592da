import type { DefaultValues, FieldPath } from 'react-hook-form';
import type { $ZodType } from 'zod/v4/core';
import { formatDollars } from '#contract/catalog.ts';
import { countText } from '#contract/count-text.ts';
import {
  canadaPackageSchema,
  LabelParcelForm,
  type CustomsForm,
  type LabelCustomsBody,
} from '#contract/label-forms.ts';
import { parseDollarsToCents } from '#contract/refund-forms.ts';
import type { ApiResponseBody } from '../../data/api.ts';
import { Field, TextInput } from '../../ui/field.tsx';
import { CheckboxField, TextField, type ShopForm } from '../../ui/form.tsx';

/** What the customs form says by default. */
export type CustomsDefaults = NonNullable<ApiResponseBody<'GET /api/admin/orders/:id/labels'>['customs']>;

export interface PackageForm extends LabelParcelForm {
  /** Only for a package that needs a customs form. */
  customs?: CustomsForm | undefined;
}
type PackageFormState = ShopForm<PackageForm, PackageForm>;

export const packageSchema = (customs: CustomsDefaults | null): $ZodType<PackageForm, PackageForm> =>
  customs ? canadaPackageSchema({ quantity: customs.quantity, paidCents: customs.paid }) : LabelParcelForm;

/** The values of the form before the owner changes them. The owner certifies every form again. */
export const packageDefaultsOf = (
  parcel: LabelParcelForm,
  customs: CustomsDefaults | null,
): DefaultValues<PackageForm> => ({
  ...parcel,
  ...(customs && {
    customs: {
      description: customs.description,
      dollars: (customs.paid / 100).toFixed(2),
      ...(customs.weight !== null && { weight: customs.weight }),
      hsTariffNumber: customs.hsTariffNumber,
      originCountry: customs.originCountry,
      signer: customs.signer,
      isCertified: false,
    },
  }),
});

export const toCustomsBody = ({ dollars, ...form }: CustomsForm): LabelCustomsBody => ({
  ...form,
  valueCents: parseDollarsToCents(dollars),
});

/** The customs form of a package to Canada. */
export function CustomsFields({ form, customs }: { form: PackageFormState; customs: CustomsDefaults }) {
  const { quantity, paid } = customs;
  const origin = countryName(form.watch('customs.originCountry'));
  return (
    <fieldset className="space-y-5 border-t border-hair pt-5">
      <legend className="float-left mb-1 w-full font-semibold">Customs form</legend>
      <p className="clear-both text-muted">
        The package has {countText(quantity, 'frame')} and goes to Canada. Customs may open it and compare.
      </p>
      <TextField form={form} name="customs.description" label="Contents" autoComplete="off" />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          form={form}
          name="customs.dollars"
          label="Value of one frame in US dollars"
          inputMode="decimal"
          autoComplete="off"
          hint={`The customer paid ${formatDollars(paid)}, without tax.`}
        />
        <NumberField form={form} name="customs.weight" label="Weight of one frame in ounces" hint="Without the box." />
        <TextField
          form={form}
          name="customs.hsTariffNumber"
          label="HS tariff number"
          optional
          inputMode="numeric"
          autoComplete="off"
          hint="6 to 10 digits. USPS and customs ask for it."
        />
        <TextField
          form={form}
          name="customs.originCountry"
          label="Country of origin"
          autoComplete="off"
          hint={`Where the frames are made, as two letters${origin ? `: ${origin}` : ', such as CN'}.`}
        />
      </div>
      <TextField
        form={form}
        name="customs.signer"
        label="Signed by"
        autoComplete="name"
        hint="Your first and last name."
      />
      <CheckboxField
        form={form}
        name="customs.isCertified"
        label="I certify that this customs form is true and complete"
      />
    </fieldset>
  );
}

/** The name of a country, so that the owner notices a wrong code. Undefined for a code that is no country. */
function countryName(typed = ''): string | undefined {
  const code = typed.trim().toUpperCase();
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  return new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code);
}

/** A field for a number, such as a weight. */
export function NumberField({
  form,
  name,
  label,
  hint,
}: {
  form: PackageFormState;
  name: FieldPath<PackageForm>;
  label: string;
  hint?: string;
}) {
  const { error } = form.getFieldState(name, form.formState);
  const inputProps = form.register(name, {
    setValueAs: (typed: string | number) => (typed === '' ? NaN : Number(typed)),
  });
  return (
    <Field label={label} hint={hint} error={error?.message}>
      {(tied) => <TextInput {...tied} {...inputProps} inputMode="decimal" autoComplete="off" />}
    </Field>
  );
}
