import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';

/** JSON lines that say what happened, never to whom or with what (security decision 20). */
export function createLog(level: string, base: Record<string, unknown> = {}, destination?: DestinationStream): Logger {
  // The form parser tells its options at level trace, with the request's headers and so its cookies.
  const redact = { paths: ['busboyOptions', 'headers', '*.headers'], remove: true };
  const hooks: LoggerOptions['hooks'] = {
    // Without words of ours pino would take the error's own, as they are.
    logMethod(given, method) {
      const [first, ...rest] = given as [unknown, ...string[]];
      const facts = first instanceof Error ? { err: first } : (first as object | string);
      const hasError = typeof facts === 'object' && 'err' in facts;
      method.apply(this, (hasError && rest.length === 0 ? [facts, 'error'] : [facts, ...rest]) as typeof given);
    },
  };
  return pino({ level, base, redact, hooks, serializers: { err: factsOf } }, destination);
}

/**
 * Tell of an error at once, of the same one again at most each minute, then with how often it came meanwhile: while the
 * database is away, each connection and each look for jobs meets the same.
 */
export function tellSeldom(tell: (error: unknown, unsaid: number) => void): (error: unknown) => void {
  const told = new Map<string, { at: number; unsaid: number }>();
  return (error) => {
    const now = performance.now();
    for (const [what, { at }] of told) if (now - at > 60 * minuteMs) told.delete(what);
    const what = withoutPersons(isError(error) ? `${String(error.code)} ${error.message}` : String(error));
    const last = told.get(what);
    if (last && now - last.at < minuteMs) return void (last.unsaid += 1);
    told.set(what, { at: now, unsaid: 0 });
    tell(error, last?.unsaid ?? 0);
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

/** What of an error can be told: databases and SDKs put into theirs what they were given. */
function factsOf(error: unknown): ErrorFacts {
  if (!isError(error)) return { type: typeof error, message: withoutPersons(String(error)) };
  const { code } = error;
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name ?? 'Error',
    ...(typeof code === 'string' && { code }),
    message: withoutPersons(error.message),
    ...(frames && { stack: frames.join('\n') }),
    ...(error.cause !== undefined && { cause: factsOf(error.cause) }),
  };
}

/** The queue tells of errors in copies, which are no errors themselves. */
const isError = (it: unknown): it is Partial<Error> & { message: string; code?: unknown } =>
  typeof it === 'object' && it !== null && 'message' in it && typeof it.message === 'string';

/** Drizzle tells a failed query's parameters; addresses and links may stand in anyone's words. */
const withoutPersons = (words: string) =>
  words
    .replace(/\nparams: [\s\S]*$/, '')
    .replace(/[^\s@<>"'(),;:=]+@[^\s@<>"'(),;:=]+/g, '[email]')
    .replace(/\?[\w-]+=[^\s"']*/g, '?[query]')
    .replace(/[\w-]{40,}/g, '[secret]');
