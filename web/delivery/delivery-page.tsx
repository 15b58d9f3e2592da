import { useEffect } from 'react';
import type { Delivery } from '#contract/delivery.ts';
import { countText } from '#contract/count-text.ts';
import { megabytesText } from '../account/purchase-text.ts';
import { expectToasts } from '../ui/toast.ts';
import { Download } from 'lucide-react';
import { DeliveredVideos } from './delivered-videos.tsx';
import { lastDayText } from './last-day.ts';
import { PlayerLinkSection } from './player-link-section.tsx';
import { PhoneQrCode, Share } from './share.tsx';

interface Props {
  delivery: Delivery;
  /** The token of the delivery link, from the address. It authorizes all changes on this page. */
  token: string;
}

/** /delivery/{token}: a private page with the videos of one frame. */
export function DeliveryPage({ delivery, token }: Props) {
  const { may, firstName, frameName, giftFrom, videos, underWay } = delivery;
  useEffect(expectToasts, []);
  return (
    <div className="on-night bg-night text-paper">
      <section className="wrap py-10 sm:py-16">
        <p className="break-words text-sand">
          {frameName}
          {giftFrom && ` · A gift from ${giftFrom}`}
        </p>
        <h1 className="title-2 mt-2 max-w-3xl">{headlineText(may, firstName)}</h1>
        {videos.length > 0 && (
          <DeliveredVideos
            delivery={delivery}
            token={token}
            aside={<SaveVideosNote delivery={delivery} token={token} />}
          />
        )}
        {underWay.length > 0 && <VideosUnderWay delivery={delivery} />}
      </section>
    </div>
  );
}

function headlineText(may: Delivery['may'], firstName: string) {
  if (may === 'watch') return firstName ? `${firstName} shares these moments with you` : 'Moments shared with you';
  return firstName ? `${firstName}, your photos have come to life` : 'Your photos have come to life';
}

function VideosUnderWay({ delivery: { underWay, videos } }: { delivery: Delivery }) {
  return (
    <p className="lede mt-8 max-w-2xl text-sand">
      {videos.length === 0 && 'There’s nothing to watch right now. '}
      {underWay.length === 1
        ? `We’re making a new version of ${underWay[0]!.caption === null ? 'one video' : `“${underWay[0]!.caption}”`}.`
        : `We’re making new versions of ${countText(underWay.length, 'video')}.`}{' '}
      {videos.length > 0 ? 'You can keep watching the current version until then.' : 'Please check back soon.'}
    </p>
  );
}

function SaveVideosNote({ delivery, token }: Props) {
  const { videos, downloadAllBytes, downloadAllUrl, expiresAt, orderNumber, may } = delivery;
  const lastDay = <strong className="font-semibold text-paper">{lastDayText(expiresAt)}</strong>;
  return (
    <div className="space-y-5">
      <aside aria-label="Save the videos" className="rounded-xl bg-night-soft p-6">
        <h2 className="title-3">Save {videos.length === 1 ? 'your video' : 'your videos'}</h2>
        {may === 'keep' ? (
          <p className="mt-2 text-sand">
            This page is private: only people with the link can see it. It stays open until {lastDay}. After that, we’ll
            delete the videos. Anything you save before then is yours to keep.
          </p>
        ) : (
          <p className="mt-2 text-sand">
            This link works until {lastDay}. Anything you save before then is yours to keep.
          </p>
        )}
        <a
          href={downloadAllUrl}
          download
          className="mt-5 flex min-h-14 w-full items-center justify-center gap-2 rounded-full bg-paper px-6 text-center leading-tight font-semibold text-ink transition-colors hover:bg-clay focus-visible:rounded-full"
        >
          <Download aria-hidden className="size-5 shrink-0" />
          Download all ({megabytesText(downloadAllBytes)})
        </a>
        <p className="mt-3 text-[0.9375rem] text-sand">
          {countText(videos.length, 'video')} in one ZIP file
          {orderNumber && (
            <>
              {' · '}
              <span className="whitespace-nowrap">Order {orderNumber}</span>
            </>
          )}
        </p>
        <PhoneQrCode />
      </aside>
      {may === 'keep' && (
        <>
          <Share delivery={delivery} token={token} />
          <PlayerLinkSection delivery={delivery} token={token} />
        </>
      )}
    </div>
  );
}
