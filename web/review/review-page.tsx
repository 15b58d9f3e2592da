import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReviewLinkView } from '#contract/reviews.ts';
import { query, send } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { useProduct } from '../storefront/product/use-product.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Link } from '../ui/link.tsx';
import { Picture } from '../ui/picture.tsx';
import { Stars } from '../ui/stars.tsx';
import { Badge, Card } from '../ui/surfaces.tsx';
import { expectToasts, toast } from '../ui/toast.ts';
import { ReviewForm } from './review-form.tsx';

export const reviewDeskQuery = (token: string) => query('/api/review/:token', { params: { token } });

interface Props {
  desk: ReviewLinkView;
  /** The token of the review link, from the address. It authorizes writing and deleting the reviews. */
  token: string;
}
type ReviewedProduct = ReviewLinkView['products'][number];
type WrittenReviewContent = NonNullable<ReviewedProduct['review']>;

/** /review/{token}: a buyer reviews the products of an order, and can delete the reviews with the same link. */
export function ReviewPage({ desk, token }: Props) {
  const { firstName, orderNumber, products } = desk;
  useEffect(expectToasts, []);
  return (
    <section className="wrap py-10 sm:py-16">
      <div className="mx-auto max-w-3xl">
        <p className="text-muted">Order {orderNumber}</p>
        <h1 className="title-2 mt-2">{firstName ? `${firstName}, how do you like it?` : 'How do you like it?'}</h1>
        <p className="lede mt-4">
          Your review shows up on our page once we’ve read it. You can delete it with this link at any time.
        </p>
        <div className="mt-9 space-y-8">
          {products.map((product, at) => (
            <ProductReview key={product.id} product={product} desk={desk} token={token} isFirst={at === 0} />
          ))}
        </div>
      </div>
    </section>
  );
}

function ProductReview({ product, desk, token, isFirst }: Props & { product: ReviewedProduct; isFirst: boolean }) {
  const { id, review } = product;
  const queryClient = useQueryClient();
  const boughtProduct = useProduct(id);
  const name = boughtProduct?.name ?? 'What you bought';
  const [isWriting, setIsWriting] = useState(isFirst && review === null);
  const [isTakingBack, setIsTakingBack] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const params = { token, product: id };
  const showChangedReviews = (next: ReviewLinkView) => {
    queryClient.setQueryData(reviewDeskQuery(token).queryKey, next);
    heading.current?.focus(); // the button that had the focus has disappeared
  };
  const deleteOwnContribution = async () => {
    try {
      showChangedReviews(await send('DELETE /api/review/:token/:product', { params }));
      setIsWriting(false);
      toast({ title: 'Review deleted', description: 'Your review isn’t on our website anymore.' });
    } catch (error) {
      toast({ title: 'Review not deleted', description: errorText(error), destructive: true });
      throw error;
    }
  };
  return (
    <Card>
      <div className="mb-6 flex items-center gap-4">
        {boughtProduct && (
          <div className="shrink-0">
            <Picture src={boughtProduct.image} alt="" sizes="5rem" className="size-20 rounded-lg" />
          </div>
        )}
        <h2 ref={heading} tabIndex={-1} className="title-3 outline-none">
          {name}
        </h2>
      </div>
      {isWriting ? (
        <ReviewForm
          label={name}
          films={desk.films}
          defaultValues={
            review
              ? {
                  stars: String(review.stars) as '5',
                  words: review.words,
                  name: review.name,
                  showFilm: review.filmId !== null,
                  film: review.filmId,
                }
              : { name: desk.suggestedName }
          }
          words={review ? 'Send the changes' : 'Send my review'}
          onWrite={async ({ showFilm, film: chosen, ...said }) => {
            const chosenVideo = desk.films.find((it) => showFilm && it.id === chosen);
            const body = { ...said, film: chosenVideo ? { id: chosenVideo.id, take: chosenVideo.take } : null };
            const updatedReview = await send('PUT /api/review/:token/:product', { params, body });
            setIsWriting(false);
            showChangedReviews(updatedReview);
            toast({ title: 'Thank you', description: 'We’ll read your review and post it soon.' });
          }}
        />
      ) : review ? (
        <>
          <WrittenReview review={review} films={desk.films} />
          <div className="mt-7 flex flex-wrap gap-3">
            {review.state === 'approved' && (
              <LinkButton look="secondary" to={paths.reviewsOf(id)}>
                See it on our page
              </LinkButton>
            )}
            {review.state === 'waiting' && (
              <Button look="secondary" onClick={() => setIsWriting(true)}>
                Change it
              </Button>
            )}
            <Button look="quiet" onClick={() => setIsTakingBack(true)}>
              Delete it
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className="text-muted">You haven’t written a review yet.</p>
          <Button look="secondary" className="mt-4" onClick={() => setIsWriting(true)}>
            Write a review
          </Button>
        </>
      )}
      <ConfirmDialog
        open={isTakingBack}
        onOpenChange={setIsTakingBack}
        title="Delete your review?"
        description="We’ll remove it right away, and your permission to show a video ends, too. You can write a new review with the same link."
        confirmLabel="Delete it"
        busyLabel="One moment..."
        destructive
        onConfirm={deleteOwnContribution}
      />
    </Card>
  );
}

/** The buyer's review, and its state. */
function WrittenReview({ review, films }: { review: WrittenReviewContent; films: ReviewLinkView['films'] }) {
  const { state, stars, words, name, filmId, answer } = review;
  const chosenVideo = films.find((it) => it.id === filmId);
  return (
    <div className="space-y-4">
      <p className="flex flex-wrap items-center gap-3">
        {state === 'approved' && <Badge tone="good">On our page</Badge>}
        {state === 'waiting' && <Badge tone="warn">We’re reading it</Badge>}
        {state === 'hidden' && <Badge>Not shown</Badge>}
        <Stars value={stars} className="text-xl" />
        <span className="sr-only">{stars} of 5 stars</span>
      </p>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{words}</p>
      <p className="font-semibold [overflow-wrap:anywhere]">{name}</p>
      {chosenVideo && (
        <p className="flex items-center gap-3 text-muted">
          <img src={chosenVideo.posterUrl} alt="" className="aspect-8/5 w-28 rounded-md bg-clay object-cover" />
          With your video{chosenVideo.title !== '' && ` “${chosenVideo.title}”`}
        </p>
      )}
      {answer !== null && (
        <div className="border-l-2 border-accent pl-4">
          <p className="font-semibold">Our answer</p>
          <p className="mt-1 whitespace-pre-line text-muted [overflow-wrap:anywhere]">{answer}</p>
        </div>
      )}
      {state === 'waiting' && <p className="text-muted">You can still change your review until we’ve read it.</p>}
      {state === 'hidden' && (
        <p className="text-muted">
          We decided not to show this review. If you think that’s a mistake,{' '}
          <Link to={paths.support} className="link">
            write to us
          </Link>
          .
        </p>
      )}
    </div>
  );
}
