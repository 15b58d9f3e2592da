import { GalleryItem } from '#contract/content-forms.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Form, FormButtons, TextField, useShopForm } from '../../ui/form.tsx';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { MediaControl } from '../media/media-control.tsx';

interface Props {
  item: GalleryItem;
  isNew: boolean;
  /** Resolves when the API has responded. It does not reject after an error. */
  onSave: (item: GalleryItem) => Promise<void>;
  onClose: () => void;
}

/** Edits one picture of the gallery: its title, the photo, and the video made from it. */
export function ItemDialog({ item, isNew, onSave, onClose }: Props) {
  const form = useShopForm(GalleryItem, {
    defaultValues: { ...item, afterVideo: item.afterVideo ?? '' },
    onSubmit: ({ afterVideo, ...otherValues }) => onSave(afterVideo ? { ...otherValues, afterVideo } : otherValues),
  });
  const [title, beforeImage] = form.watch(['title', 'beforeImage']);
  const isComplete = title.trim() !== '' && beforeImage.trim() !== '';
  const renderMediaField = (name: 'beforeImage' | 'afterVideo', label: string, type: 'image' | 'video') => (
    <Field
      label={label}
      optional={name === 'afterVideo'}
      hint="Upload a file, or enter its link."
      error={form.getFieldState(name, form.formState).error?.message}
    >
      {(tied) => (
        <MediaControl
          of={label}
          address={form.watch(name)}
          route="POST /api/admin/gallery/upload"
          fields={{ type }}
          type={type}
          onUploaded={(url) => form.setValue(name, url, { shouldDirty: true, shouldValidate: true })}
        >
          <TextInput {...tied} {...form.register(name)} autoComplete="off" spellCheck={false} />
        </MediaControl>
      )}
    </Field>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isNew ? 'Add a picture' : 'Edit the picture'}
      size="wide"
    >
      <Form form={form} label="Gallery item" className="mt-5 space-y-5">
        <div className="grid items-start gap-5 md:grid-cols-2">
          <TextField form={form} name="title" label="Title" />
          <TextField form={form} name="caption" label="Caption" optional />
          {renderMediaField('beforeImage', 'Before image', 'image')}
          {renderMediaField('afterVideo', 'After video', 'video')}
        </div>
        <FormButtons
          form={form}
          words="Save"
          busyLabel="Saving..."
          notYet={isComplete ? undefined : 'Please add a title and a before image'}
        />
        <UnsavedChangesDialog isDirty={form.formState.isDirty} />
      </Form>
    </Dialog>
  );
}
