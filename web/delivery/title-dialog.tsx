import type { DeliveredVideo } from '#contract/delivery.ts';
import { CaptionForm } from '#contract/delivery-forms.ts';
import { limits } from '#contract/limits.ts';
import { send } from '../data/api.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Form, FormButtons, FormProblem, TextField, useShopForm } from '../ui/form.tsx';
import { useDeliveryChange } from './delivery-query.ts';

/** Changes a video's title, which is shown on this page and in the player, and is part of a downloaded file's name. */
export function TitleDialog(props: { video: DeliveredVideo; token: string; onClose: () => void }) {
  const { video, token, onClose } = props;
  const { change } = useDeliveryChange(token);
  const form = useShopForm(CaptionForm, {
    defaultValues: { caption: video.caption ?? '' },
    onSubmit: async (body) => {
      const updatedVideo = await send('PUT /api/delivery/:token/videos/:id', { params: { token, id: video.id }, body });
      change((it) => ({ ...it, videos: it.videos.map((each) => (each.id === updatedVideo.id ? updatedVideo : each)) }));
      onClose();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="small"
      title="What would you like to call this video?"
      description="Everyone with the link can see it."
    >
      <Form form={form} className="mt-5 space-y-5">
        <TextField form={form} name="caption" label="Title" optional maxLength={limits.captionCharacters} />
        <FormProblem form={form} />
        <FormButtons form={form} words="Save title" busyLabel="Saving..." onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
