import { sql } from 'drizzle-orm';
import { liveTopics, type LiveTopic } from '#contract/owner/live.ts';
import type { Database } from '#adapters/database/database.ts';

/**
 * Notifies every open admin panel, whichever process of the shop it is connected to. Sends only topics. The panel then
 * fetches the data.
 */
export interface PanelEvents {
  publish(...topics: LiveTopic[]): void;
  /** Subscribe to topics. Returns the function that unsubscribes. */
  subscribe(listener: (topic: LiveTopic) => void): () => void;
}

const channel = 'live';
/**
 * Collect topics for this long, then notify outside of transactions. In PostgreSQL, transactions with a notification
 * commit one after the other, so a notification in each of them would slow down the shop.
 */
const topicGatherMs = 250;

export async function openPanelEvents({ db, listen }: Pick<Database, 'db' | 'listen'>): Promise<PanelEvents> {
  const listeners = new Set<(topic: LiveTopic) => void>();
  const passToListeners = (topics: readonly LiveTopic[]) =>
    topics.forEach((topic) => listeners.forEach((listener) => listener(topic)));
  await listen(
    channel,
    (published) => passToListeners(liveTopics.filter((topic) => published.split(' ').includes(topic))),
    () => passToListeners(liveTopics), // after a reconnect: notifications may be lost, so report every topic
  );
  const pendingTopics = new Set<LiveTopic>();
  return {
    publish(...topics) {
      if (pendingTopics.size === 0)
        setTimeout(() => {
          const topicsText = [...pendingTopics].join(' ');
          pendingTopics.clear();
          // Ignore an error: the panel also shows the change at its next regular refresh.
          db.execute(sql`select pg_notify(${channel}, ${topicsText})`).catch(() => {});
        }, topicGatherMs).unref();
      topics.forEach((topic) => pendingTopics.add(topic));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
