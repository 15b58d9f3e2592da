import { includedPhotoCounts } from '#contract/catalog.ts';
import { startAddon, verifyAddon, verifyAddonSession, type VerifiedAddon } from '#shop/addons/addons.ts';
import { findFrameById } from '#shop/frames/frames.ts';
import type { HttpScope } from './common/http-scope.ts';
import { mountOperation } from './common/serve.ts';

export function registerAddonRoutes({ app, shop }: HttpScope): void {
  const { collectsTax } = shop.config;

  mountOperation(app, 'POST /api/create-addon-payment-intent', async ({ body, customer }) => {
    const { deviceId: frameId, quantity: packages, taxLocation, giftCards: codes } = body;
    const { addon, frame, intentId, clientSecret, giftCards } = await startAddon(
      { ...shop, collectsTax },
      { frameId, packages, taxLocation, giftCards: codes },
      customer.id,
    );
    const { kind, publishableKey } = shop.provider;
    return {
      clientSecret,
      paymentIntentId: intentId,
      provider: kind,
      ...(publishableKey !== undefined && { publishableKey }),
      deviceName: frame.name,
      lines: addon.lines,
      subtotalAmount: addon.subtotalCents,
      taxAmount: addon.taxCents,
      ...(addon.taxRate !== null && { taxRate: addon.taxRate }),
      ...(addon.taxJurisdiction !== null && { taxJurisdiction: addon.taxJurisdiction }),
      totalAmount: addon.totalCents,
      giftCards: giftCards.map(({ lastFour, amountCents }) => ({ lastFour, amount: amountCents })),
      dueAmount: addon.totalCents - addon.giftCardCents,
    };
  });

  mountOperation(app, 'POST /api/verify-addon-payment', async ({ body, customer }) =>
    createResponse(await verifyAddon(shop, body.paymentIntentId, customer.id)),
  );

  mountOperation(app, 'POST /api/verify-addon-checkout', async ({ body, customer }) =>
    createResponse(await verifyAddonSession(shop, body.sessionId, customer.id)),
  );

  async function createResponse(verified: VerifiedAddon) {
    if (verified.state === 'processing')
      return {
        success: false,
        status: 'processing' as const,
        message: 'Your bank is still checking this payment. We will add your photos as soon as it comes through.',
      };
    const { frameId, packages } = verified.addon;
    const photoCount = packages * includedPhotoCounts.extraPackage;
    const frame = await findFrameById(shop.db, frameId);
    return {
      success: true,
      status: 'paid' as const,
      message: `Added room for ${photoCount} more photos to ${frame!.name}.`,
      deviceId: frameId,
    };
  }
}
