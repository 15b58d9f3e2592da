import { ApiError } from '../data/api.ts';

interface Props {
  error: unknown;
  /** What comes before the number. */
  words?: string;
}

/** By which the log tells what went wrong, where the shop answered at all. */
export function RequestNumber({ error, words = 'If you write to us, mention' }: Props) {
  if (!(error instanceof ApiError) || error.requestId === undefined) return null;
  return (
    <p className="mt-3 text-sm wrap-anywhere text-muted">
      {words} {error.requestId}.
    </p>
  );
}
