import { countText } from '#contract/count-text.ts';
import { computeOverallProgress, type OngoingUpload } from '../sending/use-upload-queue.ts';
import { useOnline } from '../ui/online.ts';
import { ProgressBar } from '../ui/surfaces.tsx';

/** The number of a guest's photos. While photos are uploading: their number and their combined progress. */
export function PhotosHeading(props: { title: string; count: number; onTheirWay: readonly OngoingUpload[] }) {
  const { title, count, onTheirWay } = props;
  const isSending = onTheirWay.length > 0;
  const uploadState = useOnline() ? 'uploading' : 'waiting for an internet connection';
  return (
    <>
      <div className="flex items-baseline justify-between gap-4">
        <h2 tabIndex={-1} className="title-3">
          {title}
        </h2>
        <p className="text-muted" role="status">
          {isSending ? `${countText(onTheirWay.length, 'photo')} ${uploadState}` : countText(count, 'photo')}
        </p>
      </div>
      {isSending && (
        <ProgressBar value={computeOverallProgress(onTheirWay)} label="Uploading all photos" className="mt-2" />
      )}
    </>
  );
}
