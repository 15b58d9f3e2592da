import { giftCardCodeText } from '#contract/gift-card-forms.ts';
import { drawGiftCard } from '#adapters/documents/gift-card-pdf.ts';
import { readBoughtGiftCard, readPrintableGiftCard, startGiftCard, verifyGiftCard } from '#shop/gift-card-sales/buy.ts';
import { findGiftCardByCode } from '#shop/gift-cards/codes.ts';
import { readAvailableAmount } from '#shop/gift-cards/spending.ts';
import type { HttpScope } from './common/http-scope.ts';
import { mountOperation } from './common/serve.ts';
import { loadPrintFonts } from './guides.ts';

export function registerGiftCardRoutes({ app, shop }: HttpScope): void {
  const { db } = shop;

  mountOperation(app, 'POST /api/gift-cards/payment-intent', async ({ body, request }) => {
    const customer = await app.guards.findCustomer(request);
    const { intentId, clientSecret, amountCents, token } = await startGiftCard(shop, body, {
      customerId: customer?.id,
    });
    const { kind, publishableKey } = shop.provider;
    return {
      clientSecret,
      paymentIntentId: intentId,
      provider: kind,
      ...(publishableKey !== undefined && { publishableKey }),
      totalAmount: amountCents,
      token,
    };
  });

  mountOperation(app, 'POST /api/gift-cards/verify-payment', async ({ body }) => {
    const status = await verifyGiftCard(shop, body.paymentIntentId);
    return { success: status === 'paid', status };
  });

  mountOperation(app, 'POST /api/gift-cards/bought', async ({ body }) => {
    const card = await readBoughtGiftCard(db, body.token);
    const { number, isForFrame, amountCents, state, recipientName, senderName, recipientEmail, deliverOn } = card;
    return {
      number,
      isForFrame,
      amount: amountCents,
      state,
      recipientName,
      senderName,
      recipientEmail,
      deliverOn,
      isSent: card.sentAt !== null,
    };
  });

  mountOperation(app, 'POST /api/gift-cards/print', async ({ body }) => {
    const { name, contactEmail } = await shop.readContent('site');
    const { card, code } = await readPrintableGiftCard(shop, body.token);
    const pdf = await drawGiftCard({
      ...loadPrintFonts(),
      shopName: name,
      supportEmail: contactEmail,
      address: shop.link('/gift-cards/balance').replace(/^https?:\/\//, ''),
      isForFrame: card.isForFrame,
      amountCents: card.balanceCents,
      recipientName: card.recipientName,
      senderName: card.senderName,
      message: card.message,
      codeText: giftCardCodeText(code),
    });
    return { fileName: `gift-card-${card.number}.pdf`, pdf: pdf.toString('base64') };
  });

  mountOperation(app, 'POST /api/gift-cards/balance', async ({ body }) => {
    const card = await findGiftCardByCode(db, body.code);
    return {
      lastFour: body.code.slice(-4),
      amount: card.amountCents,
      balance: card.balanceCents,
      available: await readAvailableAmount(shop, card),
    };
  });
}
