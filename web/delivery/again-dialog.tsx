import type { Delivery, DeliveredVideo } from '#contract/delivery.ts';
import { send } from '../data/api.ts';
import { counted } from '#contract/count-words.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.ts';
import { useDeliveryChange } from './delivery-query.ts';
import { WishFields } from './wish-fields.tsx';

/** Another motion for a delivered video as it was when this was opened, as long as the frame has changes left. */
export function AgainDialog(props: { video: DeliveredVideo; delivery: Delivery; token: string; onClose: () => void }) {
  const { video, delivery, token, onClose } = props;
  const { refresh } = useDeliveryChange(token);
  if (delivery.redosLeft === 0)
    return (
      <Dialog
        open
        onOpenChange={onClose}
        size="small"
        title="All changes are used up"
        description="The changes that come with this frame are made. If something is wrong with a video, write to us and we look at it."
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
      title={`Make “${video.title}” again?`}
      description={`We make it anew with another motion. The video of now leaves this page, so save it first if you want to keep it. ${counted(delivery.redosLeft, 'change')} left for this frame.`}
    >
      <WishFields
        style={video.provenance?.style}
        onCancel={onClose}
        onWish={async (wish) => {
          const { id, take } = video;
          try {
            const params = { token, id };
            await send('POST /api/delivery/:token/videos/:id/again', { params, body: { ...wish, take } });
          } finally {
            await refresh();
          }
          toast({ title: 'On its way again', description: 'We write to you as soon as it is ready.' });
          onClose();
        }}
      />
    </Dialog>
  );
}
