import { ImageUp } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import type { UploadedMedia } from '#contract/owner/content.ts';
import { refusals } from '#contract/refusals.ts';
import { errorText } from '../../data/error-text.ts';
import { upload } from '../../data/upload.ts';
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../session.ts';
import { MediaPreview } from './media-preview.tsx';

interface Props {
  /** The label of the field. */
  of: string;
  address: string | undefined;
  route: 'POST /api/admin/content/upload' | 'POST /api/admin/gallery/upload';
  /** Form fields to send with the file. */
  fields: Record<string, string>;
  /** The allowed type of file. By default, pictures and videos are allowed. */
  type?: UploadedMedia['type'];
  /** Called with the address of the uploaded file. */
  onUploaded: (url: string) => void;
  /** The input for an address. */
  children: ReactNode;
}

const acceptedTypes = {
  image: 'image/jpeg,image/png,image/webp,image/gif,image/heic,image/heif,.heic,.heif',
  video: 'video/mp4,video/quicktime,video/webm,.mp4,.mov,.webm',
};

/** A picture or video for a page: an input for its address, an upload button and a preview. */
export function MediaControl({ of, address, route, fields, type, onUploaded, children }: Props) {
  const fileInputRef = useRef<HTMLInputElement>(null);
  const handleSessionEnd = useSessionEnd();
  /** The progress of an upload, 0 to 1. */
  const [sent, setSent] = useState<number>();
  const uploadFile = async (file: File | undefined) => {
    if (!file) return;
    const showUploadError = (description: string) => toast({ title: 'Upload Failed', description, destructive: true });
    if (file.size > limits.pageFilmBytes) return showUploadError(refusals['media-too-large'].words);
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', file);
    setSent(0);
    try {
      onUploaded((await upload(route, form, { onProgress: setSent })).url);
    } catch (error) {
      showUploadError(errorText(error, 'Failed to upload file'));
      handleSessionEnd(error);
    } finally {
      setSent(undefined);
    }
  };
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <div className="min-w-0 flex-1 basis-60">{children}</div>
        <input
          ref={fileInputRef}
          type="file"
          accept={type ? acceptedTypes[type] : `${acceptedTypes.image},${acceptedTypes.video}`}
          hidden
          aria-label={`File for ${of}`}
          onChange={({ currentTarget }) => {
            void uploadFile(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
        <Button
          look="secondary"
          busy={sent !== undefined}
          busyLabel={sent === 1 ? 'Checking...' : 'Uploading...'}
          aria-label={sent === undefined ? `Upload: ${of}` : undefined}
          onClick={() => fileInputRef.current?.click()}
        >
          <ImageUp aria-hidden className="size-5" />
          Upload
        </Button>
      </div>
      {sent !== undefined && <ProgressBar value={sent} label={`Upload of ${of}`} className="mt-2" />}
      {/* The owner can see in the preview whether the address is wrong, before saving. */}
      {address && (
        <div className="mt-3">
          <MediaPreview key={address} address={address} />
        </div>
      )}
    </>
  );
}
