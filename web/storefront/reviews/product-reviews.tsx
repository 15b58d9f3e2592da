import { useQuery } from '@tanstack/react-query';
import { createIsomorphicFn } from '@tanstack/react-start';
import { lazy, Suspense } from 'react';
import type { ProductId } from '#contract/catalog.ts';
import type { ProductReviews as Reviews } from '#contract/reviews.ts';
import { reviewsQuery } from '../../data/queries.ts';
import { RatingLine, ReviewList } from './review-list.tsx';

/**
 * Loads the code that shows reviews. The browser loads it only if there are reviews. While the code loads, and if it
 * fails to load, the server's HTML stays.
 */
const loadReviewList = () => import('./review-list.tsx').catch(() => new Promise<never>(() => {}));
const { Line, List } = createIsomorphicFn()
  .server(() => ({ Line: RatingLine, List: ReviewList }))
  .client(() => ({
    Line: lazy(() => loadReviewList().then((it) => ({ default: it.RatingLine }))),
    List: lazy(() => loadReviewList().then((it) => ({ default: it.ReviewList }))),
  }))();

interface Props {
  productId: ProductId;
}

/** The rating of a product. Renders nothing if the product has no reviews. */
export function ProductRating({ productId }: Props) {
  const firstPage = useReviews(productId);
  return (
    firstPage && (
      <Suspense fallback={<span className="mt-4 block h-11" />}>
        <Line first={firstPage} />
      </Suspense>
    )
  );
}

/** The reviews of a product. Renders nothing if the product has no reviews. */
export function ProductReviews({ productId }: Props) {
  const firstPage = useReviews(productId);
  return (
    firstPage && (
      <Suspense>
        <List productId={productId} first={firstPage} />
      </Suspense>
    )
  );
}

function useReviews(productId: ProductId): (Reviews & { mean: number }) | undefined {
  const { data } = useQuery(reviewsQuery(productId));
  return data?.mean == null ? undefined : { ...data, mean: data.mean };
}
