import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Content } from '#contract/content.ts';
import { useGoTo } from '../account/customer.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Link } from '../ui/link.tsx';
import { Card, Notice } from '../ui/surfaces.tsx';
import { buyerQuery } from './session-queries.ts';
import { useAddPhotosPath } from './add-photos-path.ts';

const countdownSeconds = 5;

const takeYourTime = <p className="text-lg">Take your time. The button opens your upload page.</p>;

/** /welcome: a short greeting. A countdown opens the upload page. The visitor can stop it to keep reading. */
export function WelcomePage({ session, site }: { session: string | undefined; site: Content<'site'> }) {
  const { data: buyer } = useQuery(buyerQuery(session));
  const nextPath = useAddPhotosPath(session);
  const signedInAs = buyer?.signedInAs;
  // No countdown if the browser is signed in to another account: /upload would show the frames of that account.
  const { secondsLeft, stay } = useCountdown(nextPath, signedInAs ? undefined : countdownSeconds);
  return (
    <section className="wrap pt-10 pb-16 sm:pt-16 sm:pb-24">
      <div className="max-w-3xl">
        <h1 className="title-2">
          Welcome to {site.name}
          {buyer && `, ${buyer.firstName}`}!
        </h1>
        <p className="lede mt-4">
          Thank you for your order. Now for the fun part: choose the photos you want to bring to life.
        </p>
      </div>
      {buyer && signedInAs && (
        <Notice className="mt-8" title={`This order is ${buyer.firstName}’s`}>
          You’re signed in as <span className="break-all">{signedInAs}</span>, so the upload page shows the frames of
          that account. To add photos to this order, sign out, then sign in with the email address you ordered with.
        </Notice>
      )}
      <Card className="mt-8 flex flex-wrap items-center justify-between gap-x-10 gap-y-6 sm:mt-10">
        <div className="min-w-0">
          <noscript>{takeYourTime}</noscript>
          {secondsLeft === undefined ? (
            takeYourTime
          ) : (
            <p className="needs-script text-lg" role="timer">
              Taking you to your upload page in{' '}
              <span className="inline-block min-w-7 text-center font-serif text-3xl font-medium text-accent-deep tabular-nums">
                {secondsLeft}
              </span>{' '}
              {secondsLeft === 1 ? 'second' : 'seconds'}
            </p>
          )}
          {secondsLeft !== undefined && (
            <Button
              look="quiet"
              size="small"
              className="needs-script mt-1 -ml-4 underline decoration-1 underline-offset-4"
              onClick={stay}
            >
              Stay on this page
            </Button>
          )}
        </div>
        <LinkButton to={nextPath} size="large" preload={false}>
          Start Uploading Photos Now
        </LinkButton>
      </Card>
      <div className="mt-6 grid gap-6 md:grid-cols-2">
        <Card>
          <h2 className="title-3">What you get</h2>
          <ul className="mt-5 space-y-3.5">
            {giftTexts(buyer?.photoLimit).map((words) => (
              <li key={words} className="flex gap-3">
                <Check aria-hidden className="mt-1 size-5 shrink-0 text-good" />
                {words}
              </li>
            ))}
          </ul>
        </Card>
        <Card>
          <h2 className="title-3">Next steps</h2>
          <ol className="mt-5 space-y-3.5">
            {steps.map((words, index) => (
              <li key={words} className="flex gap-3.5">
                <span
                  aria-hidden
                  className="grid size-7 shrink-0 place-items-center rounded-full bg-linen text-[0.9375rem] font-semibold"
                >
                  {index + 1}
                </span>
                {words}
              </li>
            ))}
          </ol>
        </Card>
      </div>
      <p className="mt-8 text-muted">
        Need help? Write to{' '}
        <a href={`mailto:${site.contactEmail}`} className="link">
          {site.contactEmail}
        </a>{' '}
        or visit{' '}
        <Link to={paths.support} className="link">
          our support page
        </Link>
        .
      </p>
    </section>
  );
}

const giftTexts = (photoLimit: number | undefined) => [
  photoLimit
    ? `${photoLimit} of your photos turned into short, lifelike videos`
    : 'Your photos turned into short, lifelike videos',
  'Videos that arrive on your frame over Wi-Fi',
  'A private backup link by email, yours to keep and share',
  'An email as soon as your videos are ready, 24-72 hours after you finish',
];

const steps = [
  'Upload your photos. JPG or PNG photos of at least 1200 x 1200 pixels work best.',
  'Press “I’m Done” when you have all your photos.',
  'We bring them to life and email you.',
];

/** Counts down while the page is visible, then opens the next page. `stay` cancels the countdown (WCAG 2.2.1). */
function useCountdown(next: string, seconds: number | undefined) {
  const [secondsLeft, setSecondsLeft] = useState(seconds);
  const goTo = useGoTo();
  const countDown = useEffectEvent(() => {
    if (document.hidden || secondsLeft === undefined) return;
    if (secondsLeft > 1) setSecondsLeft(secondsLeft - 1);
    else {
      setSecondsLeft(undefined);
      goTo(next, { replace: true });
    }
  });
  const isCounting = secondsLeft !== undefined;
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(countDown, 1000);
    return () => clearInterval(timer);
  }, [isCounting]);
  return { secondsLeft, stay: () => setSecondsLeft(undefined) };
}
