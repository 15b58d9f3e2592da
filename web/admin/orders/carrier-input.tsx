import { type ComponentProps, useId } from 'react';
import { trackableCarriers } from '#contract/tracking.ts';
import { TextInput } from '../../ui/field.tsx';

export const carrierHint = 'USPS, UPS, FedEx and Canada Post get a tracking link.';

/** A text field for a carrier that suggests those with a tracking page. */
export function CarrierInput(props: ComponentProps<typeof TextInput>) {
  const listId = useId();
  return (
    <>
      <TextInput {...props} list={listId} autoComplete="off" />
      <datalist id={listId}>
        {trackableCarriers.map((it) => (
          <option key={it}>{it}</option>
        ))}
      </datalist>
    </>
  );
}
