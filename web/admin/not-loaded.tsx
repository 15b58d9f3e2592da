import { errorWords } from '../data/error-words.ts';
import { Button } from '../ui/button.tsx';
import { RequestNumber } from '../ui/request-number.tsx';
import { Notice } from '../ui/surfaces.tsx';

/** What this part of the panel shows could not be fetched, and why. */
export function NotLoaded(props: {
  title: string;
  error: unknown;
  onRetry: () => unknown;
  /** For what was opened beside something else. */
  onClose?: () => void;
  className?: string | undefined;
}) {
  return (
    <Notice tone="bad" title={props.title} className={props.className}>
      <p>{errorWords(props.error)}</p>
      <RequestNumber error={props.error} words="In the log:" />
      <div className="mt-3 flex gap-3">
        <Button size="small" onClick={() => void props.onRetry()}>
          Try again
        </Button>
        {props.onClose && (
          <Button size="small" look="secondary" onClick={props.onClose}>
            Close
          </Button>
        )}
      </div>
    </Notice>
  );
}
