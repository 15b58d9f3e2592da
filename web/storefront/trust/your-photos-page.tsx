import { lifetimes } from '#contract/limits.ts';
import { useSite } from '../../data/site.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';

const warnings = lifetimes.erasureWarningDays.join(' and ');

/** /your-photos: where the pictures are and who can see them, without a lawyer's word. */
export function YourPhotosPage() {
  const site = useSite();
  return (
    <div className="wrap pt-14 pb-28 sm:pt-24">
      <h1 className="title-1 max-w-3xl">Where your photos are, and who can see them</h1>
      <p className="lede mt-8 max-w-3xl">
        You hand us pictures of the people you love. Here is what becomes of them, from the moment you choose one to the
        day it is gone.
      </p>

      <ol className="mt-14 grid gap-6 md:grid-cols-2 lg:gap-8">
        {journey.map(({ title, words }, index) => (
          <li key={title} className="rounded-xl border border-hair bg-card p-6 shadow-soft sm:p-8">
            <p aria-hidden className="font-serif text-3xl text-accent">
              {index + 1}
            </p>
            <h2 className="title-3 mt-2">{title}</h2>
            <p className="mt-3 text-muted">{words}</p>
          </li>
        ))}
      </ol>

      <h2 className="title-2 mt-20">Who can see what</h2>
      <dl className="mt-8 max-w-4xl divide-y divide-hair border-y border-hair">
        {viewers.map(({ who, what }) => (
          <div key={who} className="grid gap-x-10 gap-y-1 py-5 sm:grid-cols-[15rem_1fr]">
            <dt className="font-semibold">{who}</dt>
            <dd className="text-muted">{what}</dd>
          </div>
        ))}
      </dl>

      <h2 className="title-2 mt-20">What you decide</h2>
      <ul className="mt-8 max-w-3xl list-disc space-y-3 pl-6">
        <li>
          Have us keep a frame’s photos and videos for {lifetimes.keptYears} years instead of {lifetimes.deliveryDays}{' '}
          days, and change your mind at any time.
        </li>
        <li>Delete everything now. You get a receipt that lists what was erased, on the page and by mail.</li>
        <li>Download all of it as one archive: your orders to read, your original photos, your videos.</li>
        <li>
          End any link to videos or for collecting that you gave away. To end an upload link sooner than its{' '}
          {lifetimes.uploadLinkDays} days, write to us.
        </li>
      </ul>
      <p className="mt-6 max-w-3xl">
        All of this is in{' '}
        <Link to={paths.account} preload={false} className="link">
          your account
        </Link>
        . The whole of what we know about you, and for how long, is in our{' '}
        <Link to={paths.privacy} className="link">
          privacy policy
        </Link>
        . Is something unclear? Write to{' '}
        <a href={`mailto:${site.contactEmail}`} className="link break-words">
          {site.contactEmail}
        </a>
        .
      </p>
    </div>
  );
}

const journey = [
  {
    title: 'On their way to us',
    words:
      'Your photos travel encrypted, as your bank’s pages do. A photo that we cannot use is refused and leaves nothing behind.',
  },
  {
    title: 'With us',
    words:
      'The original is stored just as you sent it, privately: no address on the internet shows it. Where it was taken stays in the original; every copy made to be looked at has it removed.',
  },
  {
    title: 'In the making',
    words:
      'Our own renderer turns each photo into a short film. Should a partner’s renderer be used for yours, the film says so in its own description. Nobody trains anything with your pictures.',
  },
  {
    title: 'Delivered, and gone',
    words: `${lifetimes.deliveryDays} days after delivery the photos, the copies and the videos are erased. We write to you ${warnings} days before, so that you can save them or have us keep them. What plays on your frame stays on your frame.`,
  },
];

const viewers = [
  {
    who: 'You',
    what: 'All of it, whenever you are signed in.',
  },
  {
    who: 'People with a link of yours',
    what: 'A shared delivery shows the videos of one frame, for as long as you said. A collecting link lets your family add photos, and each of them sees their own. An upload link opens your photos to whoever has it. No link can be guessed. You can end each; for an upload link, write to us.',
  },
  {
    who: 'The few of us who make them',
    what: 'Your photos and videos, to look at the result before you get it. Every change and every download of ours is written down.',
  },
  {
    who: 'Everyone else',
    what: 'Nothing. Not search engines, not other customers, not advertisers. Our gallery shows our own pictures only. If you write a review you may choose one video that everyone can watch beside it, until you take it back.',
  },
];
