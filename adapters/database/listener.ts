import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from './database.ts';

interface Listener {
  onMessage: (payload: string) => void;
  onGap: () => void;
}

/**
 * The time between two pings, and the time that a ping waits for its response. A dead connection is detected within the
 * sum of these times: six seconds.
 */
const pingIntervalMs = 3_000;
const pingTimeoutMs = 3_000;

/**
 * Opens one connection that listens on all channels. When the connection is lost, with or without an error, it
 * reconnects and listens again. It then reports to each listener that messages may be missing.
 */
export function openNotificationListener(url: string, onError: (error: unknown) => void) {
  const listeners = new Map<string, Set<Listener>>();
  let client: pg.Client | undefined;
  let connectPromise: Promise<void> | undefined;
  let closed = false;

  const connect = async () => {
    if (!client) await (connectPromise ??= connectOnce().finally(() => (connectPromise = undefined)));
  };

  async function connectOnce() {
    const nextClient = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: pingTimeoutMs,
      query_timeout: pingTimeoutMs,
    });
    nextClient.on('error', onError);
    nextClient.on('notification', ({ channel, payload }) =>
      listeners.get(channel)?.forEach((listener) => listener.onMessage(payload ?? '')),
    );
    try {
      await nextClient.connect();
      for (const channel of listeners.keys()) await listenOn(nextClient, channel);
    } catch (error) {
      void nextClient.end();
      throw error;
    }
    client = nextClient;
    const handleLostConnection = () => {
      clearInterval(pingTimer);
      if (client !== nextClient) return;
      client = undefined;
      void nextClient.end();
      void reconnect();
    };
    const pingTimer = setInterval(() => void nextClient.query('select 1').catch(handleLostConnection), pingIntervalMs);
    nextClient.once('end', handleLostConnection);
    if (closed) await nextClient.end();
  }

  async function reconnect() {
    for (let delayMs = 200; ; delayMs = Math.min(delayMs * 2, 5_000)) {
      await sleep(delayMs, undefined, { ref: false });
      if (closed) return;
      try {
        await connect();
        for (const channelListeners of listeners.values()) for (const listener of channelListeners) listener.onGap();
        return;
      } catch (error) {
        onError(error);
      }
    }
  }

  const listen: Database['listen'] = async (channel, onMessage, onGap = () => {}) => {
    const listener = { onMessage, onGap };
    const existingListeners = listeners.get(channel);
    listeners.set(channel, (existingListeners ?? new Set()).add(listener));
    await connect();
    if (!existingListeners && client) await listenOn(client, channel);
    return async () => void listeners.get(channel)?.delete(listener);
  };

  return {
    listen,
    async close() {
      closed = true;
      await client?.end();
    },
  };
}

const listenOn = (client: pg.Client, channel: string) => client.query(`listen ${pg.escapeIdentifier(channel)}`);
