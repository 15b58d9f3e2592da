import { type FormEvent, useState } from 'react';
import { findRangeProblem } from '#contract/analytics-ranges.ts';
import type { DaysQuery } from '#contract/owner/analytics.ts';
import { Button } from '../../ui/button.tsx';
import { Field, FieldError, TextInput } from '../../ui/field.tsx';
import { analyticsRangeOptions } from './periods.ts';

/**
 * The buttons for the ranges, and a form for a custom range.
 *
 * @param shown the days that the panel shows now; the form begins with them
 */
export function RangeSwitch(props: {
  days: DaysQuery;
  shown: { from: string; to: string } | undefined;
  onChoose: (days: DaysQuery) => void;
}) {
  const { days, shown, onChoose } = props;
  const isCustom = days.range === 'custom';
  const [isFormOpen, setIsFormOpen] = useState(isCustom);
  return (
    <div>
      <div role="group" aria-label="Range" className="flex flex-wrap gap-x-2 max-sm:-mx-3">
        {analyticsRangeOptions.map(({ value, label }) => (
          <Button
            key={value}
            size="small"
            look={value === days.range ? 'secondary' : 'quiet'}
            aria-pressed={value === days.range}
            onClick={() => {
              setIsFormOpen(false);
              onChoose({ range: value });
            }}
            className="max-sm:px-3"
          >
            {label}
          </Button>
        ))}
        <Button
          size="small"
          look={isCustom ? 'secondary' : 'quiet'}
          aria-pressed={isCustom}
          aria-expanded={isFormOpen}
          onClick={() => setIsFormOpen(!isFormOpen)}
          className="max-sm:px-3"
        >
          Custom
        </Button>
      </div>
      {isFormOpen && (
        <CustomRange
          from={days.from ?? shown?.from ?? ''}
          to={days.to ?? shown?.to ?? ''}
          onChoose={(from, to) => onChoose({ range: 'custom', from, to })}
        />
      )}
    </div>
  );
}

function CustomRange(props: { from: string; to: string; onChoose: (from: string, to: string) => void }) {
  const [from, setFrom] = useState(props.from);
  const [to, setTo] = useState(props.to);
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const foundProblem = findRangeProblem({ range: 'custom', from, to });
    setProblem(foundProblem);
    if (!foundProblem) props.onChoose(from, to);
  };
  return (
    <form onSubmit={submit} noValidate aria-label="Custom range" className="mt-3">
      <div className="flex flex-wrap items-end gap-3">
        <Field label="First day" className="min-w-36 flex-1">
          {(tied) => <TextInput {...tied} type="date" value={from} onChange={(event) => setFrom(event.target.value)} />}
        </Field>
        <Field label="Last day" className="min-w-36 flex-1">
          {(tied) => <TextInput {...tied} type="date" value={to} onChange={(event) => setTo(event.target.value)} />}
        </Field>
        <Button type="submit" look="secondary">
          Show
        </Button>
      </div>
      <FieldError id="custom-range-error" words={problem} />
    </form>
  );
}
