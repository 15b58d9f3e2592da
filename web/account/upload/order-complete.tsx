import { CircleCheck } from 'lucide-react';
import type { FrameLimits } from '#contract/frames.ts';
import { send } from '../../data/api.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { OpenEmailedLinkButton } from '../open-emailed-link-button.tsx';
import { countText } from '#contract/count-text.ts';

/**
 * Says what happens to the locked photos, and where their videos are. Shown in place of the uploader, or above the
 * uploader if the frame was reopened for more photos.
 */
export function OrderComplete({ frame }: { frame: FrameLimits }) {
  const lockedCount = frame.uploadFinalized ? frame.usedPhotos : frame.uploads.filter((it) => it.isLocked).length;
  const photoCountText = countText(lockedCount, 'photo');
  const readyCount = frame.uploads.filter((it) => it.isProcessed).length;
  // An add-on has reopened the frame, and all videos of the locked photos are ready. They are delivered later.
  const isAllHere = !frame.uploadFinalized && readyCount === lockedCount;
  if (frame.isErased) return <ErasedNotice frame={frame} />;
  return (
    <Card className="bg-good-soft">
      <h2 className="title-3 flex items-center gap-3">
        <CircleCheck aria-hidden className="size-7 shrink-0 text-good" />
        {frame.isCanceled ? 'Your videos are yours to keep' : 'Order Complete'}
      </h2>
      {frame.isCanceled ? (
        <p className="mt-3">
          This order was canceled, so {frame.deviceName} takes no more photos. You can still watch and save the{' '}
          {countText(readyCount, 'video')} we made.
        </p>
      ) : frame.videosReadyAt ? (
        <p className="mt-3">
          The {photoCountText} for {frame.deviceName} {lockedCount === 1 ? 'has' : 'have'} come to life. Watch, save and
          share your {lockedCount === 1 ? 'video' : 'videos'} on a private page.
        </p>
      ) : isAllHere ? (
        <p className="mt-3">
          The first {photoCountText} for {frame.deviceName} {lockedCount === 1 ? 'has' : 'have'} come to life. Tap a
          photo to see its video.
        </p>
      ) : frame.isInProof ? (
        <p className="mt-3">
          Your videos for {frame.deviceName} are ready. Keep the ones you like or ask for a different motion, and then
          we’ll deliver them.
        </p>
      ) : (
        <p className="mt-3">
          {frame.uploadFinalized
            ? `You’re done with ${frame.deviceName}. We’ve locked its ${photoCountText}`
            : `We’ve locked the first ${photoCountText} for ${frame.deviceName}`}{' '}
          and are turning {lockedCount === 1 ? 'it into a video' : 'them into videos'}. This takes 24-72 hours. We’ll
          email you as soon as there’s something to watch.
        </p>
      )}
      {!frame.videosReadyAt && !isAllHere && (
        <ol className="mt-4 space-y-2">
          {listNextSteps(frame).map((words, index) => (
            <li key={words} className="flex gap-3">
              <span className="grid size-7 shrink-0 place-items-center rounded-full bg-card text-sm font-semibold text-good">
                {index + 1}
              </span>
              {words}
            </li>
          ))}
        </ol>
      )}
      {!frame.videosReadyAt && !isAllHere && readyCount > 0 && (
        <p className="mt-2 font-medium">
          {readyCount} of {countText(lockedCount, 'video')} ready.
        </p>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        {frame.videosReadyAt && (
          <OpenEmailedLinkButton
            failure="We couldn’t open your videos"
            words={`Watch your ${lockedCount === 1 ? 'video' : 'videos'}`}
            open={() => send('POST /api/devices/:id/delivery-link', { params: { id: frame.deviceId } })}
          />
        )}
        {frame.isInProof && (
          <OpenEmailedLinkButton
            failure="We couldn’t open your videos"
            words={`Look at your ${lockedCount === 1 ? 'video' : 'videos'} before we deliver`}
            open={() => send('POST /api/devices/:id/proof-link', { params: { id: frame.deviceId } })}
          />
        )}
        <LinkButton look="secondary" to={paths.uploadComplete('finalized')}>
          See your order
        </LinkButton>
        {frame.connectionStatus !== 'connected' && !frame.isCanceled && (
          <LinkButton look="secondary" to={paths.connect(frame.deviceId)}>
            {frame.connectionStatus === 'none' ? 'Connect the frame' : 'Frame details'}
          </LinkButton>
        )}
      </div>
    </Card>
  );
}

/** Said of a finalized frame whose photos and videos were deleted. There is nothing left to watch. */
const ErasedNotice = ({ frame }: { frame: FrameLimits }) => (
  <Card>
    <h2 className="title-3">Photos and videos deleted</h2>
    <p className="mt-3">
      We deleted the photos and videos of {frame.deviceName}.
      {frame.isCanceled
        ? ' This order was canceled, so it takes no more photos.'
        : ' With a photo package, you can start again with new photos.'}
    </p>
    <div className="mt-5">
      <LinkButton look="secondary" to={paths.uploadComplete('finalized')}>
        See your order
      </LinkButton>
    </div>
  </Card>
);

/** The next steps after the photos are locked. */
const listNextSteps = ({ isInProof, connectionStatus }: FrameLimits) => [
  isInProof ? 'Watch the videos and tell us which ones you like.' : 'We make each video and check it.',
  'We email you a link to a private page where you can watch, save and share them.',
  connectionStatus === 'none'
    ? 'They reach your frame over Wi-Fi once it’s connected.'
    : 'They arrive on your frame over Wi-Fi automatically.',
];
