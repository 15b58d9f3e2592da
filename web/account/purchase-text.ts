import { countText } from '#contract/count-text.ts';
import type { OrderView } from '#contract/orders.ts';

/** A file size such as `4.2 MB`. */
export function megabytesText(bytes: number): string {
  if (bytes < 1e5) return `${Math.max(1, Math.round(bytes / 1e3))} KB`;
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

/** The name of an order's product, as shown to the customer. */
export function productName(productType: string): string {
  if (productType === 'byof') return 'Bring Your Own Frame';
  if (productType === 'photo-bundle') return 'Photo package';
  return productType.endsWith('-with-bundle') ? 'Digital picture frame with extra photos' : 'Digital picture frame';
}

/** What was ordered, with quantities, such as `2 frames, 1 extra photo package`. */
export function purchaseText(order: Pick<OrderView, 'productType' | 'quantity' | 'extraPackages'>): string {
  const { productType, quantity, extraPackages } = order;
  if (productType === 'photo-bundle' && extraPackages > 1) return countText(extraPackages, 'photo package');
  const product = productType.startsWith('kinframe') ? countText(quantity, 'frame') : productName(productType);
  if (productType === 'photo-bundle' || extraPackages === 0) return product;
  return `${product}, ${countText(extraPackages, 'extra photo package')}`;
}

/** What paid an order, such as `gift card and card`. */
export function paymentMeansText({
  totalAmount,
  giftCardAmount,
}: Pick<OrderView, 'totalAmount' | 'giftCardAmount'>): string {
  if (giftCardAmount === 0) return 'card';
  return giftCardAmount < totalAmount ? 'gift card and card' : 'gift card';
}
