import pg from 'pg';
import type { Database } from './database.ts';

interface Ear {
  hear: (payload: string) => void;
  onGap: () => void;
}

/**
 * One connection that hears every channel. After a loss it connects again, listens again and tells each listener that
 * messages may be missing.
 */
export function openListener(url: string, onError: (error: unknown) => void) {
  const ears = new Map<string, Set<Ear>>();
  let client: pg.Client | undefined;
  let connecting: Promise<void> | undefined;
  let closed = false;
  let delayMs = 100;

  const connect = () => (connecting ??= connectOnce().finally(() => (connecting = undefined)));

  async function connectOnce() {
    const next = new pg.Client({ connectionString: url, keepAlive: true });
    next.on('error', onError);
    next.on('notification', ({ channel, payload }) => ears.get(channel)?.forEach((ear) => ear.hear(payload ?? '')));
    await next.connect();
    next.once('end', () => {
      if (client === next) client = undefined;
      reconnect();
    });
    for (const channel of ears.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    const isAgain = delayMs > 100;
    client = next;
    delayMs = 100;
    if (isAgain) for (const set of ears.values()) for (const ear of set) ear.onGap();
  }

  function reconnect() {
    if (closed) return;
    delayMs = Math.min(delayMs * 2, 5000);
    const again = () =>
      (closed ? Promise.resolve() : connect()).catch((error: unknown) => (onError(error), reconnect()));
    setTimeout(() => void again(), delayMs).unref();
  }

  const listen: Database['listen'] = async (channel, hear, onGap = () => {}) => {
    const ear = { hear, onGap };
    const known = ears.get(channel);
    ears.set(channel, (known ?? new Set()).add(ear));
    if (!client) await connect();
    if (!known) await client?.query(`listen ${pg.escapeIdentifier(channel)}`);
    return async () => void ears.get(channel)?.delete(ear);
  };

  return {
    listen,
    async close() {
      closed = true;
      await client?.end();
    },
  };
}
