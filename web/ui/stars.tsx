import { Star } from 'lucide-react';
import { countText } from '#contract/count-text.ts';
import { joinClassNames } from './classes.ts';

const starNumbers = [1, 2, 3, 4, 5];
const Row = () => (
  <span className="flex w-max">
    {starNumbers.map((it) => (
      <Star key={it} className="size-[1em] shrink-0 fill-current" strokeWidth={0} />
    ))}
  </span>
);

/**
 * A rating as five stars, in the size of the text around them. A star can be filled in part. Screen readers ignore the
 * stars, so put the rating next to them as text.
 */
export const Stars = ({ value, className }: { value: number; className?: string }) => (
  <span aria-hidden className={joinClassNames('relative inline-flex text-sand', className)}>
    <Row />
    <span className="absolute inset-y-0 left-0 overflow-hidden text-accent" style={{ width: `${value * 20}%` }}>
      <Row />
    </span>
  </span>
);

/** The rating as text: "4.7 of 5, from 12 reviews". */
export const ratingText = ({ mean, count }: { mean: number; count: number }) =>
  `${mean.toFixed(1)} of 5, from ${countText(count, 'review')}`;
