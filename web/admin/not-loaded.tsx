import { errorWords } from '../data/error-words.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/surfaces.tsx';

/** What this part of the panel shows could not be fetched, and why. */
export function NotLoaded(props: {
  title: string;
  error: unknown;
  onRetry: () => unknown;
  className?: string | undefined;
}) {
  return (
    <Notice tone="bad" title={props.title} className={props.className}>
      <p>{errorWords(props.error)}</p>
      <Button size="small" className="mt-3" onClick={() => void props.onRetry()}>
        Try again
      </Button>
    </Notice>
  );
}
