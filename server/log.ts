import pino, { type DestinationStream, type Logger } from 'pino';

/** JSON lines that say what happened, never to whom or with what (security decision 20). */
export function createLog(level: string, base: Record<string, unknown> = {}, destination?: DestinationStream): Logger {
  return pino({ level, base, serializers: { err: factsOf } }, destination);
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
  if (!(error instanceof Error)) return { type: typeof error, message: withoutPersons(String(error)) };
  const { code } = error as { code?: unknown };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    message: withoutPersons(error.message),
    ...(frames && { stack: frames.join('\n') }),
    ...(error.cause !== undefined && { cause: factsOf(error.cause) }),
  };
}

/** Drizzle tells a failed query's parameters; addresses and links may stand in anyone's words. */
const withoutPersons = (words: string) =>
  words
    .replace(/\nparams: [\s\S]*$/, '')
    .replace(/[^\s@<>"'(),;:=]+@[^\s@<>"'(),;:=]+/g, '[email]')
    .replace(/\?[\w-]+=[^\s"']*/g, '?[query]')
    .replace(/[\w-]{40,}/g, '[secret]');
