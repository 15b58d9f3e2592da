import { ArrowLeft, ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Badge, Card } from '../../ui/surfaces.tsx';
import { withoutLineBreaks } from '../../ui/without-line-breaks.tsx';
import { PhotoVideoComparison } from '../gallery/photo-video-comparison.tsx';
import { ProductRating, ProductReviews } from '../reviews/product-reviews.tsx';
import { Section } from '../section.tsx';
import { TryInvitation } from '../try-invite.tsx';
import { BuyBar, useBuyLink } from './buy-bar.tsx';
import { FeatureList, RetentionNote, NumberedList, SpecsGrid } from './product-parts.tsx';
import { ProductSkeleton } from './product-skeleton.tsx';
import { Purchase, useProductChoice } from './purchase.tsx';
import { useProduct } from './use-product.ts';

const howItWorks = [
  {
    title: 'Order the service',
    text: 'Choose extra photos if you like. We don’t ship anything, so we don’t need your address.',
  },
  { title: 'Upload your photos', text: 'Twenty of them, from your phone or computer, in My Uploads.' },
  { title: 'Connect your frame', text: 'Send us its invite code or a photo of its QR code. You only do this once.' },
  {
    title: 'We animate every photo',
    text: 'We turn each one into a short MP4 video, check it, and send it within 24-72 hours.',
  },
  { title: 'Watch them arrive', text: 'They appear on your frame over Wi-Fi, and you get a backup link by email.' },
];

const connectionSteps = [
  {
    title: 'Get the invite code or QR from your frame',
    text: 'In the frame’s menu, choose to add a friend or user. The frame shows a code and a QR code.',
  },
  {
    title: 'Log in to My Uploads',
    text: 'Sign in with the email address you used for your order. You’ll find your frame in your account.',
  },
  {
    title: 'Add the code or QR in Connect Your Frame',
    text: 'Type the code, or upload a photo of the QR. We take it from there within 24 hours.',
  },
  {
    title: 'Videos arrive automatically over Wi-Fi',
    text: 'Leave the frame turned on and connected to Wi-Fi. There’s nothing to copy.',
  },
  {
    title: 'Control playback in your frame’s own app',
    text: 'You control order, timing and favorites in the app that came with your frame, just as before.',
  },
];

export function ByofPage() {
  const product = useProduct('byof');
  const choice = useProductChoice('byof');
  const { buyLink, isOutOfSight } = useBuyLink();
  if (!product) return <ProductSkeleton title="Bring Your Own Frame" />;
  return (
    <>
      <div className="wrap pt-6">
        <Link to={paths.home} className="inline-flex min-h-11 items-center gap-2 font-medium hover:text-accent-deep">
          <ArrowLeft aria-hidden className="size-4.5" />
          Back to Home
        </Link>
      </div>
      <div className="wrap grid items-start gap-12 pt-4 pb-20 lg:grid-cols-[1fr_25rem] lg:gap-x-16">
        <section>
          <Picture
            src={product.image}
            alt={product.name}
            sizes="(min-width: 80rem) 48rem, (min-width: 64rem) 60vw, 92vw"
            priority
            className="aspect-8/5 w-full rounded-xl"
          />
          {product.badge && (
            <Badge tone="accent" className="mt-8">
              {product.badge}
            </Badge>
          )}
          <h1 className="title-2 mt-4">{product.name}</h1>
          <ProductRating productId="byof" />
          <p className="lede mt-5 whitespace-pre-line">{withoutLineBreaks(product.long)}</p>
        </section>
        <aside aria-label="Buy this service" className="lg:sticky lg:top-24 lg:row-span-2">
          <Card>
            <h2 className="title-3 mb-6">Bring your own frame</h2>
            <Purchase choice={choice} buyLink={buyLink} />
          </Card>
        </aside>
        <div className="space-y-16">
          <TryInvitation />
          <PageSection title="The same photo, before and after">
            <PhotoVideoComparison
              name="garden"
              title="Grandparents’ garden"
              caption="A still photo, and the video our software made of it."
            />
            <RetentionNote />
          </PageSection>
          <PageSection title="What's Included">
            <FeatureList features={product.features} columns />
          </PageSection>
          <PageSection title="Compatible Frames">
            <div className="rounded-xl bg-linen p-7 sm:p-9">
              <p className="max-w-2xl">
                The service works with Wi-Fi picture frames that use the Uhale app. If your frame shows an invite code
                or a QR code to add people, it’s very likely one of them.
              </p>
              {product.amazonFrames?.uhale && (
                <Link
                  to={product.amazonFrames.uhale}
                  target="_blank"
                  className="link mt-4 inline-block py-2.5 font-semibold"
                >
                  See compatible frames on{' '}
                  <span className="whitespace-nowrap">
                    Amazon
                    <ExternalLink aria-hidden className="ml-2 inline size-4.5 align-[-0.15em]" />
                  </span>
                  <span className="sr-only">(opens in a new tab)</span>
                </Link>
              )}
            </div>
          </PageSection>
          <PageSection title="How it Works">
            <NumberedList steps={howItWorks} />
          </PageSection>
          <PageSection title="How to Connect Your Frame">
            <NumberedList steps={connectionSteps} />
            <p className="mt-8 border-t border-hair pt-6 text-muted">
              Not sure about your frame, or stuck at a step?{' '}
              <Link to={paths.support} className="link font-semibold">
                Ask support
              </Link>
              . We know most of them.
            </p>
          </PageSection>
        </div>
      </div>
      {product.specs.length > 0 && (
        <Section ground="linen" title="Service Specifications">
          <SpecsGrid specs={product.specs} />
        </Section>
      )}
      <ProductReviews productId="byof" />
      <BuyBar cart={choice.cart} words="Buy now" isShown={isOutOfSight} />
    </>
  );
}

function PageSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="title-3 mb-6 text-3xl">{title}</h2>
      {children}
    </section>
  );
}
