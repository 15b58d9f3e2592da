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
