import { useId } from 'react';
import type { z } from 'zod/mini';
import { formatCount } from '#contract/count-text.ts';
import { ReviewForm as Rules } from '#contract/review-forms.ts';
import { limits } from '#contract/limits.ts';
import type { ReviewLinkView } from '#contract/reviews.ts';
import { FieldError } from '../ui/field.tsx';
import {
  CheckboxField,
  Form,
  FormProblem,
  type ShopForm,
  SubmitButton,
  TextAreaField,
  TextField,
  useShopForm,
} from '../ui/form.tsx';
import { StarsField } from './stars-field.tsx';
import { videoName } from '../delivery/video-name.ts';

type Fields = z.input<typeof Rules>;
type ReviewValues = z.output<typeof Rules>;
export type ReviewShopForm = ShopForm<Fields, ReviewValues>;

interface Props {
  label: string;
  films: ReviewLinkView['films'];
  defaultValues: Partial<Fields>;
  words: string;
  onWrite: (review: ReviewValues) => Promise<void>;
}

/** The form of a review: the stars, the text, the author's name and, optionally, one of the buyer's videos. */
export function ReviewForm({ label, films, defaultValues, words, onWrite }: Props) {
  const form = useShopForm<Fields, ReviewValues>(Rules, {
    defaultValues: { showFilm: false, ...defaultValues },
    onSubmit: onWrite,
  });
  return (
    <Form form={form} label={label} className="space-y-7">
      <StarsField form={form} />
      <TextAreaField
        form={form}
        name="words"
        label="In your words"
        hint={`What you hoped for, and how it turned out. At most ${formatCount(limits.reviewCharacters)} characters.`}
        rows={6}
      />
      <TextField
        form={form}
        name="name"
        label="Your name on the review"
        hint="Everyone can see your name. A first name is enough."
        autoComplete="off"
        maxLength={limits.reviewNameCharacters}
      />
      {films.length > 0 && (
        <div className="space-y-4">
          <CheckboxField
            form={form}
            name="showFilm"
            label="Show one of my videos with it"
            hint="Everyone can then watch it on our page, for as long as we keep your videos or until you delete your review. Please make sure the people in it agree."
          />
          {form.watch('showFilm') && <VideoField form={form} films={films} />}
        </div>
      )}
      <FormProblem form={form} />
      <SubmitButton form={form} size="large" busyLabel="Sending..." className="max-sm:w-full">
        {words}
      </SubmitButton>
    </Form>
  );
}

function VideoField({ form, films }: { form: ReviewShopForm; films: Props['films'] }) {
  const errorId = useId();
  const error = form.getFieldState('film', form.formState).error?.message;
  return (
    <fieldset {...(error && { 'aria-describedby': errorId })}>
      <legend className="mb-2 font-semibold">Which one?</legend>
      <div className="-m-1 grid max-h-96 grid-cols-2 gap-3 overflow-y-auto p-1 sm:grid-cols-3">
        {films.map(({ id, title, posterUrl }, index) => (
          <label
            key={id}
            className="relative cursor-pointer overflow-hidden rounded-lg border border-hair bg-card has-checked:border-accent has-checked:outline-2 has-checked:outline-accent has-focus-visible:outline-3 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              value={id}
              aria-label={videoName({ caption: title || null }, index)}
              className="absolute top-2.5 left-2.5 size-5 cursor-pointer accent-accent"
              {...form.register('film')}
            />
            <img src={posterUrl} alt="" loading="lazy" className="aspect-8/5 w-full bg-clay object-cover" />
            {title !== '' && <span className="block px-3 py-2 text-[0.9375rem] [overflow-wrap:anywhere]">{title}</span>}
          </label>
        ))}
      </div>
      <FieldError id={errorId} words={error} />
    </fieldset>
  );
}
