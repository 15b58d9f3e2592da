import { formatDollars, includedPhotoCounts, pricesInCents } from '#contract/catalog.ts';
import { lifetimes } from '#contract/limits.ts';
import { useSite } from '../../data/site.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Policy, type PolicyPart } from './policy.tsx';

export function TermsPage() {
  const site = useSite();
  return (
    <Policy
      title="Terms of Service"
      lede={`These terms apply when you use this site or buy from ${site.name}. We’ve tried to write them the way we’d explain them at the counter.`}
      parts={policyPartsFor(site.name, site.contactEmail)}
    />
  );
}

const policyPartsFor = (shop: string, email: string): PolicyPart[] => [
  {
    id: 'who-can-buy',
    title: 'Who can buy',
    body: (
      <p>
        You must be old enough to enter a contract where you live. The service is not for children under 13. You are
        responsible for what happens through your account; keep its password to yourself.
      </p>
    ),
  },
  {
    id: 'what-you-buy',
    title: 'What you buy',
    body: (
      <ul>
        <li>
          <strong>Kinframe Digital Picture Frame</strong> ({formatDollars(pricesInCents.kinframe)}): a 10-inch Wi-Fi
          frame, and the animation of {includedPhotoCounts.device} of your photos.
        </li>
        <li>
          <strong>Bring Your Own Frame</strong> ({formatDollars(pricesInCents.byof)}): the animation of{' '}
          {includedPhotoCounts.device} photos for a compatible frame you own.
        </li>
        <li>
          <strong>+{includedPhotoCounts.extraPackage} AI Photo Package</strong> (
          {formatDollars(pricesInCents.extraPackage)}): {includedPhotoCounts.extraPackage} more photos, for either of
          the two.
        </li>
      </ul>
    ),
  },
  {
    id: 'prices',
    title: 'Prices and payment',
    body: (
      <p>
        Prices are in US dollars. Shipping of the frame is free. Tax, where it applies, is shown before you pay. Payment
        is due when you order and is handled by our payment provider. If a price on the site is an obvious mistake, we
        will ask you before we charge anything else.
      </p>
    ),
  },
  {
    id: 'your-photos',
    title: 'Your photos stay yours',
    body: (
      <>
        <p>
          You keep every right to your photos and to the videos made from them. You allow us to store, process and
          deliver them for as long as it takes to do what you ordered, and for nothing else.
        </p>
        <p>
          Upload only photos you have the right to use, and nothing unlawful, hateful, or sexual. We may refuse such
          photos, and close an account over them.
        </p>
      </>
    ),
  },
  {
    id: 'processing',
    title: 'Processing and delivery',
    body: (
      <>
        <p>
          Work on your videos starts when you confirm that your uploads are complete; from then on a frame’s photos are
          locked. Videos are typically ready within 24-72 hours and reach you over Wi-Fi and with a backup link by
          email. The link works for {lifetimes.deliveryDays} days.
        </p>
        <p>
          Frames need 2-3 business days for handling, plus shipping. When we take a vacation, a note at the top of our
          pages says when frames ship again. Delivery dates we show are estimates. We ship to the United States and
          Canada. In Canada, the recipient pays any duties and import taxes.
        </p>
      </>
    ),
  },
  {
    id: 'ai',
    title: 'What animation can and can’t do',
    body: (
      <p>
        Videos are made with the help of artificial intelligence. Results depend on the photo and may differ from what
        you imagined. If a video disappoints you, tell us and we’ll make it again with a different motion or a different
        photo.
      </p>
    ),
  },
  {
    id: 'returns',
    title: 'Returns and refunds',
    body: (
      <>
        <p>
          Physical products can be returned within 30 days of delivery, in their original condition. Open{' '}
          <Link to={paths.orders} className="link">
            your order
          </Link>{' '}
          and choose “Return a frame,” or write to{' '}
          <Link to={paths.support} className="link">
            support
          </Link>
          . We’ll tell you where to send them. Refunds are made to your original payment method within 5-10 business
          days after we receive the return. What a gift card paid goes back to the gift card.
        </p>
        <p>
          Digital services can be canceled for a full refund until you confirm your uploads. After that we have done the
          work. If it isn’t right, we’ll make it right.
        </p>
      </>
    ),
  },
  {
    id: 'gift-cards',
    title: 'Gift cards',
    body: (
      <>
        <p>
          A gift card is worth the amount on it, in US dollars, toward any order at checkout. It can be used in parts
          and together with other gift cards and one promo code. It does not pay for photos, speech and other extras
          that you add to an order later. It never expires and has no fees. Sales tax is charged when it is used, not
          when it is bought. It cannot be exchanged for cash, except where the law requires it.
        </p>
        <p>
          Anyone who has the code can use the card, so please keep it secret. Tell us right away if a code is lost: we
          can replace it as long as there is money on the card. To return an unused gift card, write to support.
        </p>
      </>
    ),
  },
  {
    id: 'warranty',
    title: 'Warranty',
    body: (
      <p>
        The frame comes with a 1-year limited warranty against defects in materials and workmanship under normal use. We
        repair or replace it, or refund its price. The warranty does not cover accidents, misuse, or changes made by
        others. This does not affect your legal rights as a consumer.
      </p>
    ),
  },
  {
    id: 'accounts',
    title: 'Order history and accounts',
    body: (
      <p>
        Order history is typically kept for 7 years. You may ask us to close your account at any time; see the{' '}
        <Link to={paths.privacy} className="link">
          Privacy Policy
        </Link>{' '}
        for what happens to your data.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Liability',
    body: (
      <p>
        Keep your own copies: {shop} is not a backup. As far as the law allows, our liability is limited to what you
        paid for the order concerned. Nothing here limits liability that cannot be limited by law, for example for
        intent or gross negligence.
      </p>
    ),
  },
  {
    id: 'changes-contact',
    title: 'Changes and contact',
    body: (
      <p>
        The terms that apply to an order are those shown when you placed it. Questions about them are welcome at{' '}
        <a href={`mailto:${email}`} className="link">
          {email}
        </a>
        .
      </p>
    ),
  },
];
