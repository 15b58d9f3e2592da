import { Check } from 'lucide-react';
import { includedPhotoCounts, pricesInCents } from '#contract/catalog.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Card } from '../../ui/surfaces.tsx';

const includedItems = [
  'A 10-inch Wi-Fi picture frame, with an easel for a shelf or sideboard',
  `${includedPhotoCounts.device} of your photos, each brought to life as a short video`,
  'A private page to watch, keep and share every video',
  'Free shipping',
];

/** /purchase-required: for an account without a purchase. Shows what to buy. */
export function PurchaseRequiredPage() {
  return (
    <section className="wrap grid items-center gap-10 py-10 sm:py-16 lg:grid-cols-2 lg:gap-16">
      <div>
        <h1 className="title-2">Your photos need a frame</h1>
        <p className="lede mt-4 max-w-xl">
          You haven’t bought anything with this account yet. Choose a frame, then come back here to add your photos.
        </p>
        <Card className="mt-8 max-w-xl">
          <p className="font-serif text-5xl font-medium">${pricesInCents.kinframe / 100}</p>
          <p className="mt-1 text-muted">One payment, no subscription.</p>
          <ul className="mt-6 space-y-3">
            {includedItems.map((words) => (
              <li key={words} className="flex gap-3">
                <Check aria-hidden className="mt-1 size-5 shrink-0 text-good" />
                {words}
              </li>
            ))}
          </ul>
          <LinkButton to={paths.kinframe} size="large" wide className="mt-8">
            Shop Now
          </LinkButton>
        </Card>
        <p className="mt-6 max-w-xl text-muted">
          Have a frame already?{' '}
          <Link to={paths.byof} className="link">
            Bring your own
          </Link>
          . Did you buy as a guest with this email address? Open the confirmation link we emailed you, and your order
          will show up here.
        </p>
      </div>
      <Picture
        src="product/front"
        alt="The frame on a sideboard, showing a family photo"
        sizes="(min-width: 64rem) 50vw, 100vw"
        className="hidden w-full rounded-2xl lg:block"
      />
    </section>
  );
}
