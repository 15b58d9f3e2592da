import { useQueryClient } from '@tanstack/react-query';
import { useHydrated } from '../../ui/use-hydrated.ts';
import { useRef, useState } from 'react';
import { toShopDay, dayText } from '#contract/calendar.ts';
import type { ProductId } from '#contract/catalog.ts';
import type { ProductReviews, PublicReview } from '#contract/reviews.ts';
import { query } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { useSite } from '../../data/site.ts';
import { Button } from '../../ui/button.tsx';
import { joinClassNames } from '../../ui/classes.ts';
import { ratingText, Stars } from '../../ui/stars.tsx';
import { PlayButton, playMuted } from '../../ui/use-loop.tsx';
import { Section } from '../section.tsx';

interface Props {
  productId: ProductId;
  /** The first page of reviews; there is at least one review. */
  first: ProductReviews & { mean: number };
}
/** The mean rating and the number of reviews, with a link to the reviews. */
export const RatingLine = ({ first }: Pick<Props, 'first'>) => (
  <a href="#reviews" className="mt-4 inline-flex min-h-11 items-center gap-2.5 hover:underline">
    <Stars value={first.mean} className="text-xl" />
    {ratingText(first)}
  </a>
);

/** The reviews, newest first, with a button that loads more. */
export function ReviewList({ productId, first }: Props) {
  const queryClient = useQueryClient();
  const isHydrated = useHydrated();
  const [more, setMore] = useState<ProductReviews[]>([]);
  const [state, setState] = useState<'ready' | 'busy' | Error>('ready');
  const pages = [first, ...more];
  const shownReviews = pages.flatMap((page) => page.reviews);
  const { next } = pages.at(-1)!;
  const showMore = async (after: string) => {
    setState('busy');
    try {
      const reviewsQuery = query('/api/products/:product/reviews', {
        params: { product: productId },
        query: { after },
      });
      const page = await queryClient.fetchQuery(reviewsQuery);
      setMore([...more, page]);
      setState('ready');
    } catch (error) {
      setState(error as Error);
    }
  };
  return (
    <Section id="reviews" title="What buyers say" lede={<Rating {...first} />}>
      <ul
        className={joinClassNames(
          'gap-6 space-y-6 md:space-y-0 lg:gap-8',
          shownReviews.length > 1 ? 'md:columns-2' : 'max-w-3xl',
        )}
      >
        {shownReviews.map((review) => (
          <li key={review.id} className="break-inside-avoid md:pb-6 lg:pb-8">
            <Review review={review} />
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {more.length > 0 && `${shownReviews.length} of ${first.count} reviews are shown.`}
      </p>
      {next !== null && (
        <div className="mt-8 flex flex-wrap items-center gap-4">
          <Button
            look="secondary"
            disabled={!isHydrated}
            busy={state === 'busy'}
            busyLabel="One moment..."
            onClick={() => void showMore(next)}
          >
            Show more reviews
          </Button>
          {state instanceof Error && (
            <p role="alert" className="font-medium text-bad">
              {errorText(state)}
            </p>
          )}
        </div>
      )}
    </Section>
  );
}

const Rating = (rating: { mean: number; count: number }) => (
  <span className="inline-flex flex-wrap items-center gap-x-3">
    <Stars value={rating.mean} className="text-2xl" />
    {ratingText(rating)}
  </span>
);

function Review({ review: { stars, words, name, writtenAt, answer, film } }: { review: PublicReview }) {
  const site = useSite();
  return (
    <article className="overflow-hidden rounded-xl border border-hair bg-card shadow-soft">
      {film && <ReviewVideo film={film} label={`A video made for ${name}`} />}
      <div className="p-6 sm:p-7">
        <p>
          <Stars value={stars} className="text-lg" />
          <span className="sr-only">{stars} of 5 stars</span>
        </p>
        <p className="mt-3 whitespace-pre-line [overflow-wrap:anywhere]">{words}</p>
        <p className="mt-4 text-[0.9375rem] text-muted [overflow-wrap:anywhere]">
          <strong className="font-semibold text-ink">{name}</strong>
          {' · '}
          <time dateTime={toShopDay(writtenAt)}>{dayText(writtenAt)}</time>
        </p>
        {answer !== null && (
          <div className="mt-5 border-l-2 border-accent pl-4 text-[0.9375rem]">
            <p className="font-semibold">{site.name} answers</p>
            <p className="mt-1 whitespace-pre-line text-muted [overflow-wrap:anywhere]">{answer}</p>
          </div>
        )}
      </div>
    </article>
  );
}

/** Shows the poster until the play button is pressed. Before hydration, the browser's own controls play the video. */
function ReviewVideo({ film, label }: { film: NonNullable<PublicReview['film']>; label: string }) {
  const isHydrated = useHydrated();
  const video = useRef<HTMLVideoElement>(null);
  const [isStarted, setIsStarted] = useState(false);
  const play = () => {
    setIsStarted(true);
    if (!video.current) return;
    playMuted(video.current, () => setIsStarted(false));
    video.current.focus(); // the play button, which had the focus, disappears
  };
  return (
    <div className="relative">
      <video
        ref={video}
        src={film.videoUrl}
        poster={film.posterUrl}
        aria-label={label}
        controls={!isHydrated || isStarted}
        tabIndex={isStarted ? 0 : undefined}
        muted
        loop
        playsInline
        preload="none"
        className="aspect-8/5 w-full bg-night object-cover"
      >
        Your browser does not support the video tag.
      </video>
      {isHydrated && !isStarted && <PlayButton label={label} onClick={play} />}
    </div>
  );
}
