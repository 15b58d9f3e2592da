import { Star } from 'lucide-react';
import { useId } from 'react';
import { countText } from '#contract/count-text.ts';
import { FieldError } from '../ui/field.tsx';
import type { ReviewShopForm } from './review-form.tsx';

const meanings = ['Not good at all', 'Not what I hoped for', 'All right', 'Very nice', 'I love it'];

/** One to five stars: radio buttons drawn as stars, filled up to the chosen one. */
export function StarsField({ form }: { form: ReviewShopForm }) {
  const errorId = useId();
  const error = form.getFieldState('stars', form.formState).error?.message;
  const chosenStars = Number(form.watch('stars') ?? 0);
  return (
    <fieldset {...(error && { 'aria-describedby': errorId })}>
      <legend className="mb-1.5 font-semibold">How many stars?</legend>
      <div className="flex flex-wrap items-center gap-x-4">
        <div className="group -ml-1.5 flex">
          {[1, 2, 3, 4, 5].map((stars) => (
            <label
              key={stars}
              className="relative grid size-12 cursor-pointer place-items-center rounded-full text-edge has-checked:text-accent has-focus-visible:outline-3 has-focus-visible:outline-accent has-[~label_:checked]:text-accent"
            >
              <input
                type="radio"
                value={stars}
                className="absolute inset-0 cursor-pointer opacity-0"
                {...form.register('stars')}
              />
              <Star
                aria-hidden
                strokeWidth={1.5}
                className="size-9 [label:has(:checked)>&]:fill-current [label:has(~label_:checked)>&]:fill-current"
              />
              <span className="sr-only">{countText(stars, 'star')}</span>
            </label>
          ))}
        </div>
        <p aria-live="polite" className="text-muted">
          {meanings[chosenStars - 1]}
        </p>
      </div>
      <FieldError id={errorId} words={error} />
    </fieldset>
  );
}
