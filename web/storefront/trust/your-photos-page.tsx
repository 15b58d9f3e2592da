import { useQuery } from '@tanstack/react-query';
import { lifetimes } from '#contract/limits.ts';
import { trialOfferQuery } from '../../data/queries.ts';
import { useSite } from '../../data/site.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';

const warningDaysText = lifetimes.erasureWarningDays.join(' and ');

/** /your-photos: where photos are stored and who can see them, in plain language. */
export function YourPhotosPage() {
  const site = useSite();
  const { data: offer } = useQuery(trialOfferQuery());
  const steps = offer?.isOffered ? [trialStep, ...photoSteps] : photoSteps;
  return (
    <div className="wrap pt-14 pb-28 sm:pt-24">
      <h1 className="title-1 max-w-3xl">How we keep your photos private</h1>
      <p className="lede mt-8 max-w-3xl">
        You trust us with pictures of the people you love. Here is what happens to them, from the moment you choose one
        to the day we delete it.
      </p>

      <ol className="mt-14 grid gap-6 md:grid-cols-2 lg:gap-8">
        {steps.map(({ title, words }, index) => (
          <li key={title} className="rounded-xl border border-hair bg-card p-6 shadow-soft sm:p-8">
            <p aria-hidden className="font-serif text-3xl text-accent">
              {index + 1}
            </p>
            <h2 className="title-3 mt-2">{title}</h2>
            <p className="mt-3 text-muted">{words}</p>
          </li>
        ))}
      </ol>

      <h2 className="title-2 mt-20">Who can see your photos</h2>
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
          Ask us to keep a frame’s photos and videos for {lifetimes.keptYears} years instead of {lifetimes.deliveryDays}{' '}
          days. You can change your mind at any time.
        </li>
        <li>Delete everything now. You’ll get a list of what we deleted, on the page and by email.</li>
        <li>Download everything in one file: your orders, your original photos and your videos.</li>
        <li>
          End any link you shared for videos or photos. To end an upload link before its {lifetimes.uploadLinkDays} days
          are over, write to us.
        </li>
      </ul>
      <p className="mt-6 max-w-3xl">
        All of this is in{' '}
        <Link to={paths.account} preload={false} className="link">
          your account
        </Link>
        . Everything we know about you, and how long we keep it, is in our{' '}
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

const trialStep = {
  title: 'When you try one for free',
  words: `We keep the photo and its video for ${lifetimes.trialHours} hours, then we delete both. Our own software makes the video, and our backups leave it out. Only your browser, and people with the link you sent, can see the video.`,
};

const photoSteps = [
  {
    title: 'When you upload them',
    words:
      'Your photos are encrypted on their way to us, just like on your bank’s website. If we can’t use a photo, we don’t keep it.',
  },
  {
    title: 'With us',
    words:
      'We store the original privately, exactly as you sent it. There’s no public link to it. Only the original says where it was taken. We remove that from every copy we make for viewing.',
  },
  {
    title: 'While we make your videos',
    words:
      'Our own software turns each photo into a short video. If we use a partner’s software for yours, the video’s description says so. Your pictures are never used to train AI.',
  },
  {
    title: 'After delivery',
    words: `${lifetimes.deliveryDays} days after delivery we delete the photos, the copies and the videos. We email you ${warningDaysText} days before, so you can save them or ask us to keep them. The videos on your frame stay there.`,
  },
];

const viewers = [
  {
    who: 'You',
    what: 'You can see everything whenever you’re signed in.',
  },
  {
    who: 'People you share a link with',
    what: 'A shared video link shows the videos of one frame for as long as you choose. With a link for adding photos, your family can add theirs, and each person only sees their own. Anyone with an upload link can see your photos. No one can guess these links. You can end any of them. To end an upload link, write to us.',
  },
  {
    who: 'Our small team',
    what: 'Your photos and videos, so we can check the result before you get it. We record every change and download we make.',
  },
  {
    who: 'Everyone else',
    what: 'Nothing. Not search engines, not other customers, not advertisers. Our gallery only shows our own pictures. If you write a review, you can choose one video that everyone can watch with it, until you delete it.',
  },
];
