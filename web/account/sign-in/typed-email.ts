import { storeInSessionStorage, takeFromSessionStorage } from '../../data/tab-memory.ts';

const key = 'carriedEmail';

/** Stores the email typed on /auth for /auth/link. The email must not be in the address, which others may see. */
export const storeTypedEmail = (email: string | undefined) => storeInSessionStorage(key, email || null);
export const takeTypedEmail = () => takeFromSessionStorage(key) ?? undefined;
