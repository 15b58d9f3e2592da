import { sql } from 'drizzle-orm';
import { liveTopics, type LiveTopic } from '#contract/owner/live.ts';
import type { Database } from '#adapters/database/database.ts';

/**
 * Notifies every open admin panel, whichever process of the shop it is connected to. Sends only topics. The panel then
 * fetches the data.
 */
export interface Live {
  tell(...topics: LiveTopic[]): void;
  /** Subscribe to topics. Returns the function that unsubscribes. */
  hear(ear: (topic: LiveTopic) => void): () => void;
}

const channel = 'live';
/**
 * Collect topics for this long, then notify outside of transactions. In PostgreSQL, transactions with a notification
 * commit one after the other, so a notification in each of them would slow down the shop.
 */
const gatherMs = 250;

export async function openLive({ db, listen }: Pick<Database, 'db' | 'listen'>): Promise<Live> {
  const ears = new Set<(topic: LiveTopic) => void>();
  const pass = (topics: readonly LiveTopic[]) => topics.forEach((topic) => ears.forEach((ear) => ear(topic)));
  await listen(
    channel,
    (told) => pass(liveTopics.filter((topic) => told.split(' ').includes(topic))),
    () => pass(liveTopics), // after a reconnect: notifications may be lost, so report every topic
  );
  const toTell = new Set<LiveTopic>();
  return {
    tell(...topics) {
      if (toTell.size === 0)
        setTimeout(() => {
          const told = [...toTell].join(' ');
          toTell.clear();
          // Ignore an error: the panel also shows the change at its next regular refresh.
          db.execute(sql`select pg_notify(${channel}, ${told})`).catch(() => {});
        }, gatherMs).unref();
      topics.forEach((topic) => toTell.add(topic));
    },
    hear(ear) {
      ears.add(ear);
      return () => void ears.delete(ear);
    },
  };
}
