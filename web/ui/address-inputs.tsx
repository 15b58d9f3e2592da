import type { FieldPath, FieldValues } from 'react-hook-form';
import { addressFormats, countries, type Country } from '#contract/addresses.ts';
import type { ShippingAddress } from '#contract/customer-details.ts';
import { SelectField, type ShopForm, TextField } from './form.tsx';
import { PostalLookup } from './postal-lookup.tsx';

/**
 * The fields of a shipping address, in the format of its country. The postal code comes before the city and the state,
 * because it fills them in.
 */
export function AddressInputs<In extends FieldValues, Out>(props: {
  form: ShopForm<In, Out>;
  country: Country;
  /** The path of each field in the form. */
  at: (field: keyof ShippingAddress) => FieldPath<In>;
  /** The kind of address that the browser's autofill uses. If omitted, autofill is off. */
  autoComplete?: 'shipping';
}) {
  const { form, country, at, autoComplete } = props;
  const addressFormat = addressFormats[country];
  const autoCompleteFor = (token: string) => (autoComplete ? `${autoComplete} ${token}` : 'off');
  return (
    <>
      <SelectField
        form={form}
        name={at('country')}
        label="Country"
        autoComplete={autoCompleteFor('country')}
        options={countries.map(({ code, name }) => ({ value: code, label: name }))}
      />
      <TextField
        form={form}
        name={at('line1')}
        label="Address"
        autoComplete={autoCompleteFor('address-line1')}
        maxLength={200}
      />
      <TextField
        form={form}
        name={at('line2')}
        label="Apartment, suite, unit"
        autoComplete={autoCompleteFor('address-line2')}
        maxLength={200}
        optional
      />
      <div>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            form={form}
            name={at('postalCode')}
            label={addressFormat.postalLabel}
            autoComplete={autoCompleteFor('postal-code')}
            inputMode={addressFormat.postalInputMode}
            maxLength={20}
          />
          <TextField
            form={form}
            name={at('city')}
            label="City"
            autoComplete={autoCompleteFor('address-level2')}
            maxLength={100}
          />
          <SelectField
            form={form}
            name={at('state')}
            label={addressFormat.regionLabel}
            autoComplete={autoCompleteFor('address-level1')}
            options={[{ value: '', label: addressFormat.chooseRegion }, ...addressFormat.regions]}
            className="sm:col-span-2"
          />
        </div>
        <PostalLookup {...{ form, country, at }} />
      </div>
    </>
  );
}
