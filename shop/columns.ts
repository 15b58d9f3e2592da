import { text, timestamp } from 'drizzle-orm/pg-core';

/** Columns every word of the shop spells the same way. */
export const id = () => text('id').primaryKey();
/** A moment in UTC. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** 128 random bits, unguessable, safe in a URL; made by the platform's generator. */
export const newId = () => crypto.randomUUID();
