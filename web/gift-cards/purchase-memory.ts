import { readFromSessionStorage, storeInSessionStorage } from '../data/tab-memory.ts';

/** The token of this tab's purchase of a gift card. After a bank's page, the tab opens the purchase with it. */
const key = 'giftCardPurchase';
export const rememberPurchase = (token: string) => storeInSessionStorage(key, token);
export const readRememberedPurchase = () => readFromSessionStorage(key) ?? undefined;
export const forgetPurchase = () => storeInSessionStorage(key, null);
