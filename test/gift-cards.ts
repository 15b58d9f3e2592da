import { expect } from 'vitest';
import { issueCode } from '#shop/gift-cards/codes.ts';
import { pay } from './paying.ts';
import { readAllTables } from './rows.ts';
import type { Browser, TestShop } from './shop.ts';

const printedCard = {
  isForFrame: false,
  amountCents: 5_000,
  recipientName: 'Mei',
  senderName: 'Ben Ode',
  buyerEmail: 'ben@example.com',
};
interface GiftCardStart {
  paymentIntentId: string;
  clientSecret: string;
  totalAmount: number;
  token: string;
}

export async function startGiftCard(browser: Browser, changed: Record<string, unknown> = {}): Promise<GiftCardStart> {
  const response = await browser.post('/api/gift-cards/payment-intent', { ...printedCard, ...changed });
  expect(response.status, response.text).toBe(200);
  return response.json;
}
export const verifyGiftCard = (browser: Browser, paymentIntentId: string) =>
  browser.post('/api/gift-cards/verify-payment', { paymentIntentId });

/** Buys a gift card that its buyer prints, from the first step to the last. Returns the browser's token. */
export async function buyGiftCard(browser: Browser, changed: Record<string, unknown> = {}): Promise<GiftCardStart> {
  const startedPurchase = await startGiftCard(browser, changed);
  await pay(browser, startedPurchase);
  expect((await verifyGiftCard(browser, startedPurchase.paymentIntentId)).json).toMatchObject({ success: true });
  return startedPurchase;
}

/** Buys a gift card and creates a code for it. */
export async function buyGiftCardCode(it: TestShop, amountCents: number): Promise<{ id: string; code: string }> {
  const cardIdsBefore = new Set((await readGiftCards(it)).map((card) => card.id));
  await buyGiftCard(it.browser(), { amountCents });
  const { id } = (await readGiftCards(it)).find((card) => !cardIdsBefore.has(card.id))!;
  return { id, code: (await issueCode(it.shop.db, it.clock, id))! };
}

interface GiftCardRow {
  id: string;
  number: string;
  state: string;
  amount_cents: number;
  balance_cents: number;
  last_four: string | null;
  recipient_name: string;
  recipient_email: string | null;
  buyer_email: string;
  sent_at: string | null;
}
export const readGiftCards = async ({ shop: { db } }: TestShop) =>
  (await readAllTables(db))['gift_cards'] as GiftCardRow[];
export const readGiftCardUses = async ({ shop: { db } }: TestShop) =>
  (await readAllTables(db))['gift_card_uses'] as { state: string; amount_cents: number; returned_cents: number }[];
