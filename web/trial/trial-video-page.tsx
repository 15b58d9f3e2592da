import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { momentText } from '#contract/calendar.ts';
import { refusals } from '#contract/refusals.ts';
import type { TrialVideoView } from '#contract/trials.ts';
import { trialOfferQuery } from '../data/queries.ts';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';
import { ClosedPage } from '../ui/closed-page.tsx';
import { VideoLoop } from '../ui/video-loop.tsx';
import { TrialFrame } from './trial-frame.tsx';

/** /film/{token}: the video of someone's trial, to watch and to download. */
export function TrialVideoPage({ film: { filmUrl, posterUrl, endsAt } }: { film: TrialVideoView }) {
  const { data: offer } = useQuery(trialOfferQuery());
  return (
    <section className="wrap max-w-4xl pt-10 pb-20 sm:pt-16">
      <h1 className="title-2">A photo, brought to life</h1>
      <p className="lede mt-4 mb-8">One photo became this video. You can watch it here until {momentText(endsAt)}.</p>
      <TrialFrame>
        <VideoLoop src={filmUrl} poster={posterUrl} label="The video" className="size-full" />
      </TrialFrame>
      <div className="mt-6 flex flex-wrap gap-3">
        <LinkButton to={filmUrl} download="kinframe-video.mp4">
          <Download aria-hidden className="size-5" />
          Download
        </LinkButton>
        {offer?.isOffered && (
          <LinkButton look="secondary" to={paths.try}>
            Try it with your own photo
          </LinkButton>
        )}
      </div>
    </section>
  );
}

export function UnknownTrialVideoPage() {
  const { data: offer } = useQuery(trialOfferQuery());
  return (
    <ClosedPage title="This video isn’t available" words={refusals['trial-link-invalid'].words}>
      Please check that you opened the full link from your email.
      {offer?.isOffered && ' You can also try it with your own photo, for free.'}
    </ClosedPage>
  );
}
