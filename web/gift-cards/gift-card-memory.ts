import { readFromTab, storeInTab } from '../data/tab-memory.ts';

/** The token of this tab's purchase of a gift card. After a bank's page, the tab opens the purchase with it. */
const key = 'giftCardPurchase';
export const rememberPurchase = (token: string) => storeInTab(key, token);
export const rememberedPurchase = () => readFromTab(key) ?? undefined;
export const forgetPurchase = () => storeInTab(key, null);
