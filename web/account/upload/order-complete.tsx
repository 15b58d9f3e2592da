import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { FrameLimits } from '#contract/frames.ts';
import { send } from '../../data/api.ts';
import { errorWords } from '../../data/error-words.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useGoTo, useSessionEnd } from '../customer.ts';
import { counted } from '../words.ts';

/** In the uploader's place once a frame is locked: what happens to its photos, and where its videos are. */
export function OrderComplete({ frame }: { frame: FrameLimits }) {
  const photos = counted(frame.usedPhotos, 'photo');
  const ready = frame.uploads.filter((it) => it.isProcessed).length;
  return (
    <Card className="bg-good-soft">
      <h2 className="title-3 flex items-center gap-3">
        <CircleCheck aria-hidden className="size-7 shrink-0 text-good" />
        Order Complete
      </h2>
      {frame.videosReadyAt ? (
        <p className="mt-3">
          The {photos} of {frame.deviceName} {frame.usedPhotos === 1 ? 'has' : 'have'} come to life. Watch, save and
          share your {frame.usedPhotos === 1 ? 'video' : 'videos'} on a private page.
        </p>
      ) : (
        <p className="mt-3">
          You are done with {frame.deviceName}. We have locked its {photos} and are turning{' '}
          {frame.usedPhotos === 1 ? 'it into a video' : 'them into videos'}, which takes 24-72 hours. We write to you as
          soon as there is something to watch.
        </p>
      )}
      {!frame.videosReadyAt && ready > 0 && (
        <p className="mt-2 font-medium">
          {ready} of {counted(frame.usedPhotos, 'video')} ready.
        </p>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        {frame.videosReadyAt && <WatchVideos frame={frame} />}
        <LinkButton look="secondary" to={paths.uploadComplete('finalized')}>
          See your order
        </LinkButton>
      </div>
    </Card>
  );
}

/** To the page of the mail that said so, for who has lost it. */
function WatchVideos({ frame }: { frame: FrameLimits }) {
  const goTo = useGoTo();
  const noteEnd = useSessionEnd();
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    try {
      goTo((await send('POST /api/devices/:id/delivery-link', { params: { id: frame.deviceId } })).path);
    } catch (error) {
      toast({ title: 'Videos not opened', description: errorWords(error), destructive: true });
      noteEnd(error);
      setBusy(false);
    }
  };
  return (
    <Button busy={busy} busyWords="Opening..." onClick={() => void open()}>
      Watch your {frame.usedPhotos === 1 ? 'video' : 'videos'}
    </Button>
  );
}
