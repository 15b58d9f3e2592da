import { RotateCw } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { canRetry, type OngoingUpload, type Uploads } from './use-upload-queue.ts';

/** A button that retries all failed photos. Shown if more than one photo has failed. */
export function RetryAllButton({
  sending,
  uploads,
}: {
  sending: readonly OngoingUpload[];
  uploads: Pick<Uploads, 'retry'>;
}) {
  const failedUploads = sending.filter(canRetry);
  return (
    failedUploads.length > 1 && (
      <Button look="secondary" onClick={() => uploads.retry(failedUploads)} className="max-sm:w-full">
        <RotateCw aria-hidden className="size-5" />
        Retry all {failedUploads.length} photos
      </Button>
    )
  );
}
