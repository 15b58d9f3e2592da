import { errorText } from '../data/error-text.ts';
import { Button } from '../ui/button.tsx';
import { RequestNumber } from '../ui/request-number.tsx';
import { Notice } from '../ui/surfaces.tsx';

/** Says that the data of a part of the panel could not be loaded, and why. Offers a retry. */
export function NotLoaded(props: {
  title: string;
  error: unknown;
  onRetry: () => unknown;
  /** Shows a Close button. For a part that can be closed, such as the order next to the list. */
  onClose?: () => void;
  className?: string | undefined;
}) {
  return (
    <Notice tone="bad" title={props.title} className={props.className}>
      <p>{errorText(props.error)}</p>
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
