import { canRetry, errorText } from '../data/error-text.ts';
import { Button } from '../ui/button.tsx';
import { RequestNumber } from '../ui/request-number.tsx';
import { Notice } from '../ui/surfaces.tsx';

/** Says that the data of a part of the panel could not be loaded, and why. Offers a retry if that can help. */
export function LoadErrorNotice(props: {
  title: string;
  /** The title if the data does not exist, such as an order that was deleted. */
  notFoundTitle?: string;
  error: unknown;
  onRetry: () => unknown;
  /** Shows a Close button. For a part that can be closed, such as the order next to the list. */
  onClose?: () => void;
  className?: string | undefined;
}) {
  const mayRetry = canRetry(props.error);
  const title = (!mayRetry && props.notFoundTitle) || props.title;
  return (
    <Notice tone={mayRetry ? 'bad' : 'warn'} title={title} className={props.className}>
      <p>{mayRetry || !props.notFoundTitle ? errorText(props.error) : 'It may have been deleted.'}</p>
      {mayRetry && <RequestNumber error={props.error} words="In the log:" />}
      {(mayRetry || props.onClose) && (
        <div className="mt-3 flex gap-3">
          {mayRetry && (
            <Button size="small" onClick={() => void props.onRetry()}>
              Try again
            </Button>
          )}
          {props.onClose && (
            <Button size="small" look="secondary" onClick={props.onClose}>
              Close
            </Button>
          )}
        </div>
      )}
    </Notice>
  );
}
