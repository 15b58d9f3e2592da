import type { AdminGiftCard } from '#contract/owner/gift-cards.ts';
import { listGiftCards, sumOwedOnGiftCards, type GiftCard } from '#shop/gift-cards/gift-cards.ts';
import { resendGiftCard, voidAndRefundGiftCard } from '#shop/gift-card-sales/owner-gift-cards.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerGiftCardRoutes({ app, shop }: HttpScope): void {
  mountOperation(app, 'GET /api/admin/lists/gift-cards', async ({ query }) => {
    const page = await listGiftCards(shop.db, query);
    return { ...page, rows: page.rows.map(toAdminGiftCard) };
  });
  mountOperation(app, 'GET /api/admin/gift-cards/owed', async () => {
    const { cents, cards } = await sumOwedOnGiftCards(shop.db);
    return { owedAmount: cents, cards };
  });
  mountOperation(app, 'POST /api/admin/gift-cards/:id/resend', ({ params, body, request }) =>
    awaitAndView(resendGiftCard(shop, params.id, body.recipientEmail, getAuditAuthor(request))),
  );
  mountOperation(app, 'POST /api/admin/gift-cards/:id/void', ({ params, body, request }) =>
    awaitAndView(voidAndRefundGiftCard(shop, params.id, body, getAuditAuthor(request))),
  );

  async function awaitAndView(changing: Promise<GiftCard>): Promise<AdminGiftCard> {
    const view = toAdminGiftCard(await changing);
    shop.live.publish('orders');
    return view;
  }
}

const toAdminGiftCard = (card: GiftCard): AdminGiftCard => ({
  id: card.id,
  number: card.number,
  isForFrame: card.isForFrame,
  amount: card.amountCents,
  balance: card.balanceCents,
  state: card.state === 'void' ? 'void' : 'active',
  lastFour: card.lastFour,
  recipientName: card.recipientName,
  recipientEmail: card.recipientEmail,
  senderName: card.senderName,
  buyerEmail: card.buyerEmail,
  deliverOn: card.deliverOn,
  sentAt: card.sentAt?.toISOString() ?? null,
  soldAt: (card.paidAt ?? card.createdAt).toISOString(),
  voidedAt: card.voidedAt?.toISOString() ?? null,
});
