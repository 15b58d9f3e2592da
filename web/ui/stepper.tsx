import { Minus, Plus } from 'lucide-react';
import { useId } from 'react';
import { IconButton } from './icon-button.tsx';

interface Props {
  /** The name in the button labels: "quantity" gives "Decrease quantity" and "Increase quantity". */
  name: string;
  label: string;
  hint?: string;
  value: number;
  least?: number;
  most: number;
  /** Shown when `value` has reached `most`. */
  mostWords?: string;
  onChange: (value: number) => void;
}

/** A labeled integer input with a minus and a plus button. */
export function Stepper({ name, label, hint, value, least = 0, most, mostWords, onChange }: Props) {
  const id = useId();
  return (
    <fieldset aria-labelledby={id} className="flex min-w-0 items-center justify-between gap-4">
      <div>
        <p id={id} className="font-semibold">
          {label}
        </p>
        {hint && <p className="text-[0.9375rem] text-muted">{hint}</p>}
        {value >= most && mostWords && <p className="text-[0.9375rem] text-muted">{mostWords}</p>}
      </div>
      <StepperControl name={name} value={value} least={least} most={most} onChange={onChange} />
    </fieldset>
  );
}

/** The number between the two buttons, without a label. */
export function StepperControl(
  props: Pick<Props, 'name' | 'value' | 'least' | 'most' | 'onChange'> & { disabled?: boolean },
) {
  const { name, value, least = 0, most, onChange, disabled = false } = props;
  return (
    <div className="needs-script flex shrink-0 items-center rounded-full border border-edge bg-card">
      <IconButton
        words={`Decrease ${name}`}
        icon={Minus}
        disabled={disabled || value <= least}
        onClick={() => onChange(value - 1)}
      />
      <output aria-live="polite" className="min-w-8 text-center font-semibold tabular-nums">
        {value}
      </output>
      <IconButton
        words={`Increase ${name}`}
        icon={Plus}
        disabled={disabled || value >= most}
        onClick={() => onChange(value + 1)}
      />
    </div>
  );
}
