import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { AdminVideo } from '#contract/owner/production.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import type { VideoActions } from './use-video-actions.ts';

/** A button that keeps the approved take which customers see, and discards the new take. */
export function KeepEarlierVideo({ video, actions }: { video: AdminVideo; actions: VideoActions }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  if (!video.live) return null;
  return (
    <>
      <Button
        look="secondary"
        size="small"
        wide
        busy={actions.isBusy(video.id)}
        aria-label={`Keep the earlier video of ${video.title}`}
        onClick={() => setIsDialogOpen(true)}
      >
        <Undo2 aria-hidden className="size-4.5" />
        Keep the earlier video
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onOpenChange={setIsDialogOpen}
        title="Keep the earlier video?"
        description="We’ll delete the new one, and the customer will keep the video they have now. We won’t send an email."
        cancelLabel="Not yet"
        confirmLabel="Keep the earlier one"
        onConfirm={async () => {
          if (!(await actions.discardNewTake(video))) throw new Error('We couldn’t keep the earlier video');
        }}
      />
    </>
  );
}
