import { deliveryDays } from '#contract/catalog.ts';
import { Check } from 'lucide-react';
import type { Product } from '#contract/content.ts';
import { joinClassNames } from '../../ui/classes.ts';
import { withoutLineBreaks } from '../../ui/without-line-breaks.tsx';

export function FeatureList({ features, columns = false }: { features: string[]; columns?: boolean }) {
  return (
    <ul className={joinClassNames('gap-x-10 gap-y-3.5', columns ? 'grid sm:grid-cols-2' : 'space-y-3.5')}>
      {features.map((feature) => (
        <li key={feature} className="flex gap-3">
          <Check aria-hidden className="mt-1 size-5 shrink-0 text-accent" />
          <span>{withoutLineBreaks(feature)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Says how long customers can watch and download their videos, and that they keep downloaded videos. */
export const RetentionNote = () => (
  <p className="mt-5 text-muted">
    You can watch and download your videos for {deliveryDays} days after they’re ready. Videos you download, and those
    on the frame, are yours to keep.
  </p>
);

export function SpecsGrid({ specs }: { specs: Product['specs'] }) {
  return (
    <dl className="grid gap-x-12 sm:grid-cols-2">
      {specs.map(({ label, value }) => (
        <div key={label} className="flex flex-wrap justify-between gap-x-6 border-t border-hair py-4">
          <dt className="text-muted">{label}</dt>
          <dd className="font-semibold">{withoutLineBreaks(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A numbered list of steps with text only. */
export function NumberedList({ steps }: { steps: { title: string; text: string }[] }) {
  return (
    <ol className="space-y-6">
      {steps.map(({ title, text }, index) => (
        <li key={title} className="flex gap-5">
          <span
            aria-hidden
            className="grid size-10 shrink-0 place-items-center rounded-full border border-accent font-serif text-lg font-medium text-accent-deep"
          >
            {index + 1}
          </span>
          <div className="pt-1">
            <p className="text-lg font-semibold">{title}</p>
            <p className="mt-1 text-muted">{withoutLineBreaks(text)}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
