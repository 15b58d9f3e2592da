import { sql } from 'drizzle-orm';
import { liveTopics, type LiveTopic } from '#contract/owner/live.ts';
import type { Database } from '#adapters/database/database.ts';

/** News for whoever has the panel open, at any process of the shop. Only that something changed: they ask what. */
export interface Live {
  tell(...topics: LiveTopic[]): void;
  /** Answers how to stop hearing. */
  hear(ear: (topic: LiveTopic) => void): () => void;
}

const channel = 'live';
/** Told together, and outside of transactions: commits that notify wait for one another. */
const gatherMs = 250;

export async function openLive({ db, listen }: Pick<Database, 'db' | 'listen'>): Promise<Live> {
  const ears = new Set<(topic: LiveTopic) => void>();
  const pass = (topics: readonly LiveTopic[]) => topics.forEach((topic) => ears.forEach((ear) => ear(topic)));
  await listen(
    channel,
    (told) => pass(liveTopics.filter((topic) => told.split(' ').includes(topic))),
    () => pass(liveTopics), // what was told meanwhile is not known
  );
  const toTell = new Set<LiveTopic>();
  return {
    tell(...topics) {
      if (toTell.size === 0)
        setTimeout(() => {
          const told = [...toTell].join(' ');
          toTell.clear();
          // What is not heard is seen when the panel looks by itself.
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
