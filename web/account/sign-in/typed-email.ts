import { storeInTab, takeFromTab } from '../../data/tab-memory.ts';

const key = 'carriedEmail';

/** Stores the email typed on /auth for /auth/link. The email must not be in the address, which others may see. */
export const storeTypedEmail = (email: string | undefined) => storeInTab(key, email || null);
export const takeTypedEmail = () => takeFromTab(key) ?? undefined;
