import { AnimationError, type AnimationFailure } from '#shop/ports/animator.ts';

/**
 * Whether a retry of the same request may succeed. Each retry costs as much as a video, so unknown failures are not
 * retried.
 */
const isTemporaryByFailure: Record<AnimationFailure, boolean> = {
  refused: false,
  input: false,
  access: false,
  quota: false,
  busy: true,
  timeout: true,
  unavailable: true,
  output: false,
  unknown: false,
};

export const createAnimationError = (failure: AnimationFailure, words: string, cause?: unknown) =>
  new AnimationError(words, isTemporaryByFailure[failure], { failure, cause });

/** Converts a model's error message to an AnimationError. */
export function convertModelError(words: string): AnimationError {
  const failure: AnimationFailure = /nsfw|sensitive|flagged|safety|moderat|content polic|prohibited|\bE005\b/i.test(
    words,
  )
    ? 'refused'
    : /out ?of ?memory|\bCUDA\b|interrupted|queue|capacity|overload|\bE00[34]\b|\bE6716\b/i.test(words)
      ? 'busy'
      : /time(d)? ?out|\bE9828\b/i.test(words)
        ? 'timeout'
        : /invalid|unsupported|validation|must be|cannot (read|identify|open)|\bE006\b/i.test(words)
          ? 'input'
          : 'unknown';
  return createAnimationError(failure, messages[failure](words));
}

/** Converts an error of an API request to an AnimationError. */
export function convertApiCallError(what: string, error: unknown): AnimationError {
  if (error instanceof AnimationError) return error;
  const status = (error as { response?: { status?: number } }).response?.status;
  const failure: AnimationFailure =
    status === undefined
      ? isTimeout(error)
        ? 'timeout'
        : 'unavailable'
      : status === 401 || status === 403
        ? 'access'
        : status === 402
          ? 'quota'
          : status === 429
            ? 'busy'
            : status >= 500
              ? 'unavailable'
              : 'input';
  return createAnimationError(
    failure,
    `The hosted animator could not ${what}: ${callFailureTexts[failure] ?? 'it did not answer as it should'}.`,
    error,
  );
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError';

const messages: Record<AnimationFailure, (words: string) => string> = {
  refused: (words) => `The hosted animator refuses to animate this photo: ${shortenText(words)}`,
  input: (words) => `The hosted animator cannot use this photo: ${shortenText(words)}`,
  access: shortenText,
  quota: shortenText,
  busy: (words) => `The hosted animator is too busy: ${shortenText(words)}`,
  timeout: (words) => `The hosted animator took too long: ${shortenText(words)}`,
  unavailable: shortenText,
  output: shortenText,
  unknown: (words) => `The hosted animator failed: ${shortenText(words)}`,
};
const callFailureTexts: Partial<Record<AnimationFailure, string>> = {
  access: 'the token does not allow it',
  quota: 'the account has no credit left',
  busy: 'it received too many requests',
  timeout: 'it did not answer in time',
  unavailable: 'it cannot be reached',
  input: 'it rejected the request',
};

function shortenText(words: string): string {
  const line = words.replaceAll(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line || 'it gave no reason';
}
