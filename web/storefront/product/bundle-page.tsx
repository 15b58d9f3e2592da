import { frameAndPackageCart, formatDollars, photoCountOf, calculateCartPrice } from '#contract/catalog.ts';
import { useFramesLeft } from '../../data/stock.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Badge, Card } from '../../ui/surfaces.tsx';
import { withoutLineBreaks } from '../../ui/without-line-breaks.tsx';
import { ProductRating, ProductReviews } from '../reviews/product-reviews.tsx';
import { Section } from '../section.tsx';
import { BuyBar, useBuyLink } from './buy-bar.tsx';
import { FeatureList, NumberedList } from './product-parts.tsx';
import { ProductPictures } from './product-pictures.tsx';
import { ProductSkeleton } from './product-skeleton.tsx';
import { useProduct } from './use-product.ts';

const steps = [
  {
    title: 'Add it to your frame',
    text: 'Buy it together with a Kinframe, or later, from My Uploads, for a frame you own.',
  },
  {
    title: 'Upload ten more photos',
    text: 'They join your first twenty. JPG or PNG, at least 1200 x 1200 pixels.',
  },
  {
    title: 'See them arrive',
    text: 'Within 24-72 hours the new videos are ready. We email you, and they go to the same frame.',
  },
];

export function BundlePage() {
  const product = useProduct('photo2video-10');
  const { buyLink, isOutOfSight } = useBuyLink();
  const isSoldOut = useFramesLeft() === 0;
  if (!product) return <ProductSkeleton title="Photo package" />;
  return (
    <>
      <section className="wrap grid items-start gap-10 py-10 sm:py-16 lg:grid-cols-[1.35fr_1fr] lg:gap-16">
        <ProductPictures name={product.name} images={product.images.length > 0 ? product.images : [product.image]} />
        <div>
          {product.badge && <Badge tone="accent">{product.badge}</Badge>}
          <h1 className="title-2 mt-4">{product.name}</h1>
          <ProductRating productId="photo2video-10" />
          <p className="mt-4 font-serif text-4xl font-medium">{formatDollars(Math.round(product.price * 100))}</p>
          <p className="lede mt-5">{withoutLineBreaks(product.long)}</p>
          <Card className="mt-8">
            <div className="flex items-baseline justify-between gap-4">
              <p>
                <span className="font-semibold">Kinframe with this package</span>
                <span className="block text-[0.9375rem] text-muted">
                  {photoCountOf(frameAndPackageCart)} photos brought to life
                </span>
              </p>
              <p className="font-serif text-3xl font-medium">
                {formatDollars(calculateCartPrice(frameAndPackageCart).subtotalCents)}
              </p>
            </div>
            {isSoldOut ? (
              <p className="mt-6 border-t border-hair pt-4">
                <span className="font-semibold">The Kinframe is sold out right now.</span>{' '}
                <Link to={paths.kinframe} className="link">
                  Get an email when it is back
                </Link>
              </p>
            ) : (
              <LinkButton
                ref={buyLink}
                wide
                size="large"
                to={paths.customerDetails(frameAndPackageCart)}
                className="mt-6"
              >
                Buy frame + package
              </LinkButton>
            )}
            <p className="mt-4 text-center text-[0.9375rem] text-muted">
              Already own a frame?{' '}
              <Link to={paths.upload} className="link">
                Add it from My Uploads
              </Link>
            </p>
          </Card>
        </div>
      </section>
      <Section ground="linen">
        <div className="grid gap-14 lg:grid-cols-2 lg:gap-20">
          <div>
            <h2 className="title-2 mb-8">What's Included</h2>
            <FeatureList features={product.features} />
            {product.included && (
              <p className="mt-8 border-t border-sand pt-6 text-muted">{withoutLineBreaks(product.included)}</p>
            )}
          </div>
          <div>
            <h2 className="title-2 mb-8">How it works</h2>
            <NumberedList steps={steps} />
          </div>
        </div>
      </Section>
      <ProductReviews productId="photo2video-10" />
      <BuyBar cart={frameAndPackageCart} words="Buy both" isShown={isOutOfSight && !isSoldOut} />
    </>
  );
}
