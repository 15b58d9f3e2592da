import { kinframe } from '#contract/catalog.ts';
import { useFramesLeft } from '../../data/stock.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Badge, Card } from '../../ui/surfaces.tsx';
import { withoutLineBreaks } from '../../ui/without-line-breaks.tsx';
import { PhotoVideoComparison } from '../gallery/photo-video-comparison.tsx';
import { ProductRating, ProductReviews } from '../reviews/product-reviews.tsx';
import { Section } from '../section.tsx';
import { TryInvitation } from '../try-invite.tsx';
import { BuyBar, useBuyLink } from './buy-bar.tsx';
import { FeatureList, RetentionNote, SpecsGrid } from './product-parts.tsx';
import { ProductPictures } from './product-pictures.tsx';
import { ProductSkeleton } from './product-skeleton.tsx';
import { Purchase, useProductChoice } from './purchase.tsx';
import { useProduct } from './use-product.ts';

/** One product picture shows the same view as the hero of the home page, so the hero's video plays on it. */
const videoByPicture = { '/media/product/hero-1200.jpg': '/media/hero/home.mp4' };

export function KinframePage() {
  const product = useProduct(kinframe);
  const choice = useProductChoice(kinframe);
  const { buyLink, isOutOfSight } = useBuyLink();
  const isSoldOut = useFramesLeft() === 0;
  if (!product) return <ProductSkeleton title="Kinframe" />;
  return (
    <>
      <section className="wrap grid items-start gap-10 py-10 sm:py-16 lg:grid-cols-[1.35fr_1fr] lg:gap-16">
        <ProductPictures
          name={product.name}
          images={product.images.length > 0 ? product.images : [product.image]}
          films={videoByPicture}
        />
        <div>
          {product.badge && <Badge tone="accent">{product.badge}</Badge>}
          <h1 className="title-2 mt-4">{product.name}</h1>
          <ProductRating productId={kinframe} />
          <p className="lede mt-5">{withoutLineBreaks(product.short)}</p>
          <Card className="mt-8">
            <Purchase choice={choice} buyLink={buyLink} />
          </Card>
        </div>
      </section>

      <TryInvitation className="wrap pb-12 sm:pb-20" />

      <Section ground="linen" title="A frame first. Then a small wonder.">
        <div className="grid gap-10 lg:grid-cols-[1fr_1.1fr] lg:gap-20">
          <p className="lede whitespace-pre-line">{withoutLineBreaks(product.long)}</p>
          <FeatureList features={product.features} />
        </div>
        <Picture
          src="product/living-room"
          alt="The Kinframe on a wooden console in the evening, a birthday cake glowing on its screen."
          sizes="(min-width: 80rem) 76rem, 92vw"
          className="mt-14 aspect-8/5 w-full rounded-xl sm:aspect-21/9"
        />
      </Section>

      <Section title="The same photo, before and after">
        <div className="grid items-center gap-10 lg:grid-cols-[1.6fr_1fr] lg:gap-16">
          <PhotoVideoComparison
            name="cabin"
            title="A cabin in the snow"
            caption="A still photo, and the video our software made of it."
          />
          <div>
            <p className="lede">
              Here snow falls in front of the cabin and behind it. In yours, people blink and breathe, clouds drift or a
              candle flickers, depending on the photo. We add snow only if you ask for it after you see your video.
            </p>
            <RetentionNote />
            <LinkButton look="secondary" to={paths.gallery} className="mt-7">
              See more examples
            </LinkButton>
          </div>
        </div>
      </Section>

      {product.specs.length > 0 && (
        <Section ground="linen" title="Specifications">
          <SpecsGrid specs={product.specs} />
          {product.included && (
            <p className="mt-8 max-w-3xl border-t border-hair pt-6">
              <strong className="font-semibold">What's Included: </strong>
              <span className="text-muted">{withoutLineBreaks(product.included)}</span>
            </p>
          )}
        </Section>
      )}

      <ProductReviews productId={kinframe} />

      <section className="wrap py-16 sm:py-24 [#reviews+&]:pt-0">
        <div className="grid items-center overflow-hidden rounded-xl bg-linen md:grid-cols-2">
          <Picture
            src="product/byof"
            alt="A slim black digital frame of another brand, and a phone with uploaded photos."
            sizes="(min-width: 64rem) 38rem, (min-width: 48rem) 73vw, 92vw"
            className="aspect-8/5 h-full w-full"
          />
          <div className="p-7 sm:p-12">
            <h2 className="title-3">Already own a Wi-Fi frame?</h2>
            <p className="mt-3 text-muted">
              Keep it. With Bring Your Own Frame we animate your photos and send them to the frame you have.
            </p>
            <LinkButton look="secondary" to={paths.byof} className="mt-6">
              Bring Your Own Frame
            </LinkButton>
          </div>
        </div>
      </section>
      <BuyBar cart={choice.cart} words="Buy now" isShown={isOutOfSight && !isSoldOut} />
    </>
  );
}
