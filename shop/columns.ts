import { text, timestamp } from 'drizzle-orm/pg-core';

/** Builders of columns that all modules of the shop define in the same way. */
export const idColumn = () => text('id').primaryKey();
/** A timestamp in UTC. */
export const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** A random UUID with 122 random bits: unguessable and safe in a URL. */
export const newId = () => crypto.randomUUID();
