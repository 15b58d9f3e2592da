import { keepInTab, takeFromTab } from '../../data/tab-memory.ts';

const key = 'carriedEmail';

/** What was typed on /auth is there again where a link is asked for. Not by the address, which others get to see. */
export const carryEmail = (email: string | undefined) => keepInTab(key, email || null);
export const carriedEmail = () => takeFromTab(key) ?? undefined;
