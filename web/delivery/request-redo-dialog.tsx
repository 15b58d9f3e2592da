import type { Delivery, DeliveredVideo } from '#contract/delivery.ts';
import { send } from '../data/api.ts';
import { countText } from '#contract/count-text.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.ts';
import { useDeliveryChange } from './delivery-query.ts';
import { RedoRequestFields } from './redo-request-fields.tsx';

/**
 * Requests another motion for a delivered video, if the frame has changes left. The dialog stays with the video for
 * which it was opened, even if the page shows another video in the meantime.
 */
export function RequestRedoDialog(props: {
  video: DeliveredVideo;
  delivery: Delivery;
  token: string;
  onClose: () => void;
}) {
  const { video, delivery, token, onClose } = props;
  const { refresh } = useDeliveryChange(token);
  if (delivery.redosLeft === 0)
    return (
      <Dialog
        open
        onOpenChange={onClose}
        size="small"
        title="No changes left"
        description="You’ve used all the changes included with this frame. If something is wrong with a video, write to us and we’ll take a look."
        footer={
          <>
            <Button look="secondary" onClick={onClose}>
              Close
            </Button>
            <LinkButton to={paths.support}>Contact support</LinkButton>
          </>
        }
      />
    );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="small"
      title={video.caption === null ? 'Make this video again?' : `Make “${video.caption}” again?`}
      description={`We’ll make a new version with a different motion. You can keep watching this one until the new one is ready. ${countText(delivery.redosLeft, 'change')} left for this frame.`}
    >
      <RedoRequestFields
        style={video.provenance?.style}
        hasOwnMotion={video.hasOwnMotion}
        onCancel={onClose}
        onWish={async (wish) => {
          const { id, take } = video;
          try {
            const params = { token, id };
            await send('POST /api/delivery/:token/videos/:id/again', { params, body: { ...wish, take } });
          } finally {
            await refresh();
          }
          toast({ title: 'We’re on it', description: 'We’ll email you when the new version is ready.' });
          onClose();
        }}
      />
    </Dialog>
  );
}
