import { useQuery } from '@tanstack/react-query';
import { builtInSteps } from '#contract/built-in-content.ts';
import { howItWorksStepsQuery } from '../../data/queries.ts';
import { Picture } from '../../ui/picture.tsx';
import { withoutLineBreaks } from '../../ui/without-line-breaks.tsx';

/** The steps from a photo to a moving frame, with pictures. */
export function HowItWorksSteps({ level: Heading = 'h3' }: { level?: 'h2' | 'h3' }) {
  const { data } = useQuery(howItWorksStepsQuery());
  const steps = Array.isArray(data) && data.length > 0 ? data : builtInSteps;
  return (
    <ol className="grid gap-x-8 gap-y-12 md:grid-cols-3">
      {steps.map(({ number, title, description, image }) => (
        <li key={number}>
          {image && (
            <Picture
              src={image}
              alt=""
              sizes="(min-width: 80rem) 29rem, (min-width: 48rem) 36vw, 108vw"
              className="mb-6 aspect-4/3 w-full rounded-xl"
            />
          )}
          <div className="flex gap-4">
            <span aria-hidden className="font-serif text-3xl leading-none font-medium text-accent">
              {number}
            </span>
            <div>
              <Heading className="title-3">{title}</Heading>
              <p className="mt-2 text-muted">{withoutLineBreaks(description)}</p>
            </div>
          </div>
        </li>
      ))}
    </ol>
  );
}
