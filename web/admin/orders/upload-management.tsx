import { useQueryClient } from '@tanstack/react-query';
import { Download, Eye, FolderDown, Images, Trash2, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { dayText } from '#contract/calendar.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import type { AdminUpload } from '#contract/owner/photos.ts';
import { acceptedFiles } from '../../account/accepted-files.ts';
import { countText } from '#contract/count-text.ts';
import { megabytesText } from '../../account/purchase-text.ts';
import { query, send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { Badge } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { readConflictingNotes } from '../notes-conflict.tsx';
import { useSessionEnd } from '../session.ts';
import { StepUpDownload } from '../step-up/step-up-download.tsx';
import { useNotes } from '../use-notes.tsx';
import { customerNameText } from './name-of.ts';
import { OrderPanelSection } from './order-panel-section.tsx';

interface Props {
  order: AdminOrder;
  photos: readonly AdminUpload[];
  onView: (photo: AdminUpload) => void;
}

/** The query of all photos of an order, newest first. */
export const orderUploadsQuery = (orderId: string) => query('/api/admin/uploads', { query: { orderId, limit: 1000 } });

/** Downloads and management of an order's photos: all photos as a ZIP, or single files. */
export function OrderUploads(props: Props) {
  const { order, photos } = props;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <OrderPanelSection title="Uploads">
      <div className="flex flex-wrap gap-2">
        <Button look="secondary" size="small" onClick={() => setIsOpen(true)}>
          <Images aria-hidden className="size-4.5" />
          Manage uploads
        </Button>
        {photos.length > 0 && (
          <StepUpDownload look="secondary" size="small" to={`/api/admin/orders/${order.id}/download`}>
            <FolderDown aria-hidden className="size-4.5" />
            Download
          </StepUpDownload>
        )}
      </div>
      {isOpen && <UploadManagement {...props} onClose={() => setIsOpen(false)} />}
    </OrderPanelSection>
  );
}

function UploadManagement({ order, photos, onView, onClose }: Props & { onClose: () => void }) {
  const [toDelete, setToDelete] = useState<AdminUpload>();
  const { refresh, report } = useUploadActs(order.id);
  const bytes = photos.reduce((sum, it) => sum + it.fileSize, 0);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Upload Management"
      description={`${order.orderNumber} · ${customerNameText(order)} · ${order.customerEmail}`}
      size="wide"
    >
      <dl className="mt-5 grid grid-cols-3 gap-3 text-center">
        <Count label="Total uploads" value={String(photos.length)} />
        <Count label="Images" value={String(photos.filter((it) => it.mimeType.startsWith('image/')).length)} />
        <Count label="Total size" value={`${(bytes / 1_000_000).toFixed(1)} MB`} />
      </dl>
      <AddPhotos order={order} isEmpty={photos.length === 0} />
      <ul className="mt-6 divide-y divide-hair">
        {photos.map((photo) => (
          <li key={photo.id} className="grid gap-4 py-5 sm:grid-cols-[8rem_minmax(0,1fr)]">
            <img
              src={photo.thumbnailUrl}
              alt=""
              width={photo.width}
              height={photo.height}
              loading="lazy"
              className="aspect-square w-24 rounded-md bg-clay object-cover sm:w-full"
            />
            <div className="min-w-0 space-y-3">
              <div>
                <p className="font-semibold break-words">{photo.originalFileName}</p>
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
                  {photo.frameName} · {megabytesText(photo.fileSize)} · {typeLabel(photo.mimeType)} ·{' '}
                  {dayText(photo.uploadedAt)}
                  <Badge tone={photo.isProcessed ? 'good' : 'neutral'}>
                    {photo.isProcessed ? 'Processed' : 'Processing'}
                  </Badge>
                </p>
              </div>
              <Notes photo={photo} />
              <div className="flex flex-wrap gap-2">
                <Button look="secondary" size="small" onClick={() => onView(photo)}>
                  <Eye aria-hidden className="size-4.5" />
                  View
                </Button>
                <LinkButton look="secondary" size="small" to={`/api/admin/uploads/${photo.id}/original`} download>
                  <Download aria-hidden className="size-4.5" />
                  Original
                </LinkButton>
                {photo.isLocked ? (
                  <p className="self-center text-sm text-muted">
                    You can’t delete this photo. Its video is being made or was delivered.
                  </p>
                ) : (
                  <Button look="quiet" size="small" className="text-bad" onClick={() => setToDelete(photo)}>
                    <Trash2 aria-hidden className="size-4.5" />
                    Delete
                  </Button>
                )}
              </div>
            </div>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={toDelete !== undefined}
        onOpenChange={(open) => !open && setToDelete(undefined)}
        title="Delete this upload?"
        description="Are you sure you want to delete this upload? This action cannot be undone."
        confirmLabel="Delete"
        busyLabel="Deleting..."
        destructive
        onConfirm={async () => {
          try {
            await send('DELETE /api/admin/uploads/:id', { params: { id: toDelete!.id } });
          } catch (error) {
            report('Delete Failed', error, 'Failed to delete upload');
            throw error;
          }
          toast({ title: 'Upload deleted', description: toDelete!.originalFileName });
          await refresh();
        }}
      />
    </Dialog>
  );
}

/** A readable type: JPEG for image/jpeg. */
/** The type of a photo as people write it, such as JPEG. */
export const typeLabel = (mimeType: string) => mimeType.replace(/^image\//, '').toUpperCase();

const Count = ({ label, value }: { label: string; value: string }) => (
  <div className="rounded-lg bg-linen p-3">
    <dt className="text-sm text-muted">{label}</dt>
    <dd className="text-xl font-semibold tabular-nums">{value}</dd>
  </div>
);

/** Notes on a photo. They are saved when the field loses the focus. */
function Notes({ photo }: { photo: AdminUpload }) {
  const { id, originalFileName: name } = photo;
  const { refresh, report } = useUploadActs(photo.orderId);
  const notes = useNotes({
    stored: photo.adminNotes,
    saveNotes: async (body, onTheirs) => {
      try {
        await send('PUT /api/admin/uploads/:id', { params: { id }, body });
      } catch (error) {
        const theirNotes = readConflictingNotes(error);
        if (theirNotes === undefined) report('Update Failed', error, 'Failed to update upload');
        else onTheirs(theirNotes);
        return false;
      }
      toast({ title: 'Notes saved', description: name });
      await refresh();
      return true;
    },
    refetch: refresh,
  });
  return (
    <>
      <Field label={`Notes on ${name}`} optional>
        {(tied) => <TextArea {...tied} {...notes.field} rows={2} maxLength={5000} placeholder="Only you see them." />}
      </Field>
      {notes.questions}
    </>
  );
}

/** Adds photos for customers who send them by email or cannot use the upload page. */
function AddPhotos({ order, isEmpty }: { order: AdminOrder; isEmpty: boolean }) {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [busy, setBusy] = useState(false);
  const [words, setWords] = useState<string>();
  const fileInputRef = useRef<HTMLInputElement>(null);
  const { refresh, report } = useUploadActs(order.id);
  const upload = async () => {
    if (files.length === 0) {
      toast({ title: 'No Files Selected', description: 'Please select files to upload.', destructive: true });
      return;
    }
    setBusy(true);
    setWords(undefined);
    try {
      const form = new FormData();
      form.append('orderId', order.id);
      for (const file of files) form.append('files[]', file, file.name);
      const { message, refused } = await send('POST /api/admin/upload', { form });
      setWords(refused.map((it) => it.message).join(' ') || undefined);
      setFiles([]);
      if (fileInputRef.current) fileInputRef.current.value = '';
      toast({ title: 'Photos added', description: message });
    } catch (error) {
      setWords(errorText(error, 'Upload failed'));
      report('Upload Failed', error, 'Upload failed');
    } finally {
      setBusy(false);
      await refresh();
    }
  };
  return (
    <div className="mt-5 rounded-lg border border-hair p-4">
      <h3 className="font-sans text-base font-semibold">Add photos for this customer</h3>
      {isEmpty && <p className="mt-1 text-muted">No uploads yet. If the customer emailed you photos, add them here.</p>}
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <input
          ref={fileInputRef}
          type="file"
          multiple
          accept={acceptedFiles}
          aria-label="Photos to add"
          disabled={busy}
          onChange={(event) => setFiles([...(event.currentTarget.files ?? [])])}
          className="min-w-0 flex-1 basis-60 text-[0.9375rem] file:mr-3 file:min-h-11 file:rounded-full file:border file:border-edge file:bg-card file:px-4 file:font-semibold"
        />
        <Button size="small" busy={busy} busyLabel="Uploading..." onClick={() => void upload()}>
          <Upload aria-hidden className="size-4.5" />
          {files.length > 0 ? `Upload ${countText(files.length, 'photo')}` : 'Upload'}
        </Button>
      </div>
      <p role="alert">{words && <span className="mt-3 block text-bad">{words}</span>}</p>
    </div>
  );
}

function useUploadActs(orderId: string) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  return {
    refresh: () =>
      Promise.all(
        [orderUploadsQuery(orderId), query('/api/admin/orders/:id', { params: { id: orderId } })].map(({ queryKey }) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
    report: (title: string, error: unknown, fallback: string) => {
      toast({ title, description: errorText(error, fallback), destructive: true });
      handleSessionEnd(error);
    },
  };
}
