import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';

/** Writes JSON lines that describe what happened, without personal data (docs/security.md). */
export function createLog(level: string, base: Record<string, unknown> = {}, destination?: DestinationStream): Logger {
  // At level trace the form parser logs its options, which contain the request's headers and so its cookies.
  const redact = { paths: ['busboyOptions', 'headers', '*.headers'], remove: true };
  const hooks: LoggerOptions['hooks'] = {
    // Give a message if the caller has none. Otherwise pino logs the message of the error with its personal data.
    logMethod(given, method) {
      const [first, ...rest] = given as [unknown, ...string[]];
      const loggedFacts = first instanceof Error ? { err: first } : (first as object | string);
      const hasError = typeof loggedFacts === 'object' && 'err' in loggedFacts;
      method.apply(
        this,
        (hasError && rest.length === 0 ? [loggedFacts, 'error'] : [loggedFacts, ...rest]) as typeof given,
      );
    },
  };
  return pino({ level, base, redact, hooks, serializers: { err: toErrorFacts } }, destination);
}

/**
 * Report an error at once, and the same error again at most once a minute, with the number of repeats since. While the
 * database is down, every connection and every poll for jobs fails with the same error.
 */
export function throttleReports(report: (error: unknown, suppressed: number) => void): (error: unknown) => void {
  const reportedErrors = new Map<string, { at: number; suppressed: number }>();
  return (error) => {
    const now = performance.now();
    for (const [errorText, { at }] of reportedErrors) if (now - at > 60 * minuteMs) reportedErrors.delete(errorText);
    const errorText = removePersonalData(isError(error) ? `${String(error.code)} ${error.message}` : String(error));
    const lastReport = reportedErrors.get(errorText);
    if (lastReport && now - lastReport.at < minuteMs) return void (lastReport.suppressed += 1);
    reportedErrors.set(errorText, { at: now, suppressed: 0 });
    report(error, lastReport?.suppressed ?? 0);
  };
}
const minuteMs = 60_000;

interface ErrorFacts {
  type: string;
  code?: string;
  message: string;
  stack?: string;
  cause?: ErrorFacts;
}

/**
 * The part of an error that may be logged. Its other fields may contain personal data, because databases and SDKs add
 * their input to errors.
 */
function toErrorFacts(error: unknown): ErrorFacts {
  if (!isError(error)) return { type: typeof error, message: removePersonalData(String(error)) };
  const { code } = error;
  const stackFrames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name ?? 'Error',
    ...(typeof code === 'string' && { code }),
    message: removePersonalData(error.message),
    ...(stackFrames && { stack: stackFrames.join('\n') }),
    ...(error.cause !== undefined && { cause: toErrorFacts(error.cause) }),
  };
}

/** The job queue reports errors as plain objects, which are not instances of Error. */
const isError = (it: unknown): it is Partial<Error> & { message: string; code?: unknown } =>
  typeof it === 'object' && it !== null && 'message' in it && typeof it.message === 'string';

/**
 * Removes personal data and secrets. Drizzle's errors contain the parameters of the query, and any message may contain
 * email addresses and links.
 */
const removePersonalData = (words: string) =>
  words
    .replace(/\nparams: [\s\S]*$/, '')
    .replace(/[^\s@<>"'(),;:=]+@[^\s@<>"'(),;:=]+/g, '[email]')
    .replace(/\?[\w-]+=[^\s"']*/g, '?[query]')
    .replace(/[\w-]{40,}/g, '[secret]');
