import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState } from 'react';
import { type FieldPath, type FieldPathValue, type FieldValues, useWatch } from 'react-hook-form';
import { addressFormats, type Country } from '#contract/addresses.ts';
import type { ShippingAddress } from '#contract/customer-details.ts';
import { query } from '../data/api.ts';
import { Button } from './button.tsx';
import { joinClassNames } from './classes.ts';
import type { ShopForm } from './form.tsx';
import { type CityAndState, isOtherState, findValuesToFill } from './postal-filling.ts';
import { useHydrated } from './use-hydrated.ts';

/**
 * Fills in the city and the state of a complete ZIP code, and asks about a state that does not belong to the ZIP code.
 * It only helps: without a response of the server, nothing changes, and the question does not keep the form from being
 * sent.
 */
export function PostalLookup<In extends FieldValues, Out>(props: {
  form: ShopForm<In, Out>;
  country: Country;
  /** The path of each field in the form. */
  at: (field: keyof ShippingAddress) => FieldPath<In>;
}) {
  const { form, country, at } = props;
  const names = [at('postalCode'), at('city'), at('state')];
  // Render again after hydration and after each change. Read the values from the form, because useWatch does not know
  // what was typed before hydration.
  useHydrated();
  useWatch({ control: form.control, name: names });
  const [code = '', city = '', state = ''] = form.getValues(names) as (string | undefined)[];
  const now = { city, state };
  const zipDigits = country === 'US' ? fiveDigitsOf(code) : undefined;
  const { data: found } = useQuery({
    ...query('/api/postal-codes/:code', { params: { code: zipDigits ?? '' } }),
    enabled: zipDigits !== undefined,
  });
  /** What the last lookup filled in. Only these values may be replaced by the next one. */
  const [filled, setFilled] = useState<FilledAddress>();
  const fillAddress = (postalCode: string, values: Partial<CityAndState>) => {
    for (const [field, value] of Object.entries(values))
      form.setValue(at(field as keyof CityAndState), value as FieldPathValue<In, FieldPath<In>>, {
        shouldDirty: true,
        shouldValidate: form.formState.isSubmitted,
      });
    setFilled({ postalCode, values });
  };
  // Use a layout effect, so that a question about the state of the previous ZIP code does not appear for a moment.
  useLayoutEffect(() => {
    const values = found && findValuesToFill(found, now, filled?.values);
    if (values) fillAddress(found.postalCode, values);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each ZIP code, so that a person can empty the fields
  }, [found]);
  // If the lookup fills in the field that has the focus, select its text. The next key then replaces it.
  useEffect(() => {
    const { activeElement: focused } = document;
    if (focused instanceof HTMLInputElement && focused.name === at('city') && filled?.values.city === focused.value)
      focused.select();
    // oxlint-disable-next-line react/exhaustive-deps -- only when the lookup has filled in the fields
  }, [filled]);

  const text = found && `${found.city}, ${found.state}`;
  const isAsked = found !== undefined && isOtherState(found, now);
  const isAnnounced = !isAsked && filled !== undefined && filled.postalCode === found?.postalCode;
  return (
    <div className={joinClassNames(isAsked && 'mt-5 rounded-lg bg-linen p-4')}>
      <p role="status" className={joinClassNames(!isAsked && 'sr-only')}>
        {isAsked && `ZIP code ${found.postalCode} is in ${text}. Is the state right?`}
        {isAnnounced && `We filled in ${Object.values(filled.values).join(', ')}.`}
      </p>
      {isAsked && (
        <Button
          look="secondary"
          size="small"
          className="mt-3"
          onClick={() => {
            fillAddress(found.postalCode, { city: found.city, state: found.state });
            form.setFocus(at('state')); // this button disappears
          }}
        >
          Use {text}
        </Button>
      )}
    </div>
  );
}

interface FilledAddress {
  postalCode: string;
  values: Partial<CityAndState>;
}

/** The first five digits of a complete ZIP code, or undefined. */
function fiveDigitsOf(typed: string): string | undefined {
  const { tidyPostal, postalPattern } = addressFormats.US;
  const code = tidyPostal(typed);
  return postalPattern.test(code) ? code.slice(0, 5) : undefined;
}
