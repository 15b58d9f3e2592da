import { ApiError } from '../data/api.ts';

interface Props {
  error: unknown;
  /** The text before the request id. */
  words?: string;
}

/**
 * Shows the request id, with which the error can be found in the server's log. Shows nothing without an API response.
 */
export function RequestNumber({ error, words = 'If you contact us, please mention this number:' }: Props) {
  if (!(error instanceof ApiError) || error.requestId === undefined) return null;
  return (
    <p className="mt-3 text-sm wrap-anywhere text-muted">
      {words} {error.requestId}.
    </p>
  );
}
