import type { UploadView } from '#contract/frames.ts';
import type { Purchase } from '#contract/orders.ts';
import type { Order } from '#shop/orders/orders.ts';
import { photoUrl, thumbnailUrl, type Upload } from '#shop/photos/photos.ts';

/** A photo as its owner sees it. */
export const uploadView = (upload: Upload, isProcessed: boolean): UploadView => ({
  id: upload.id,
  url: photoUrl(upload),
  thumbnailUrl: thumbnailUrl(upload),
  fileName: upload.fileName,
  originalFileName: upload.originalFileName,
  mimeType: upload.mimeType,
  fileSize: upload.fileSize,
  width: upload.width,
  height: upload.height,
  uploadedAt: upload.uploadedAt.toISOString(),
  isProcessed,
});

/** What was bought, as its customer and the owner read it. */
export const purchaseView = (order: Order): Purchase => ({
  id: order.id,
  orderNumber: order.orderNumber,
  productType: order.productType,
  quantity: order.quantity,
  customerFirstName: order.firstName,
  customerLastName: order.lastName,
  shippingAddress: order.shippingAddress,
  lines: order.lines,
  subtotalAmount: order.subtotalCents,
  discountAmount: order.discountCents,
  promoCode: order.promoCode,
  taxAmount: order.taxCents,
  taxRate: order.taxRate,
  taxJurisdiction: order.taxJurisdiction,
  totalAmount: order.totalCents,
  refundedAmount: order.refundedCents,
  parcel: order.shippedAt && {
    shippedAt: order.shippedAt.toISOString(),
    carrier: order.trackingCarrier,
    trackingNumber: order.trackingNumber,
  },
  createdAt: order.createdAt.toISOString(),
});
