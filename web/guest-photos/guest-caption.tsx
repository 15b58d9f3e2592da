import { CaptionForm } from '#contract/delivery-forms.ts';
import { limits } from '#contract/limits.ts';
import { Form, FormProblem, SubmitButton, TextField, useShopForm } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import type { GuestPhoto } from './guest-grid.tsx';

interface Props {
  photo: GuestPhoto;
  onSave: (photo: GuestPhoto, caption: string) => Promise<void>;
  onSaved: () => void;
}

/** A title that a guest writes for a photo. Its customer can change it. */
export function GuestCaption({ photo, onSave, onSaved }: Props) {
  const form = useShopForm(CaptionForm, {
    defaultValues: { caption: photo.caption ?? '' },
    onSubmit: async ({ caption }) => {
      await onSave(photo, caption);
      toast({ title: 'Saved', description: photo.originalFileName });
      onSaved();
    },
  });
  return (
    <Form form={form} label="Title" className="mt-5 space-y-4">
      <TextField
        form={form}
        name="caption"
        label="Title of the video"
        optional
        hint="Who or what does the photo show? The frame’s owner can change the title."
        maxLength={limits.captionCharacters}
      />
      <FormProblem form={form} />
      <SubmitButton form={form} busyLabel="Saving...">
        Save title
      </SubmitButton>
    </Form>
  );
}
