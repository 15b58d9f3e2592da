import type { UploadProgress, UploadView } from '#contract/frames.ts';
import type { Purchase } from '#contract/orders.ts';
import type { Order } from '#shop/orders/orders.ts';
import { downloadUrl, posterUrl, videoUrl } from '#shop/production/delivery.ts';
import { previewUrl, type Preview } from '#shop/production/previews.ts';
import { videoFileName } from '#shop/production/file-names.ts';
import type { Video } from '#shop/production/production.ts';
import {
  toCrop,
  cropWithoutBorder,
  shouldAskAboutWater,
  photoUrl,
  computeShownSize,
  thumbnailUrl,
  uncroppedUrl,
  type Upload,
} from '#shop/photos/photos.ts';

/** A photo as its customer sees it. */
export const uploadView = (upload: Upload, video?: Video, preview?: Preview): UploadView => ({
  id: upload.id,
  url: photoUrl(upload),
  thumbnailUrl: thumbnailUrl(upload),
  fileName: upload.fileName,
  originalFileName: upload.originalFileName,
  mimeType: upload.mimeType,
  fileSize: upload.fileSize,
  ...computeShownSize(upload),
  crop: toCrop(upload),
  whole: { url: uncroppedUrl(upload), width: upload.width, height: upload.height },
  printArea: video === undefined ? (cropWithoutBorder(upload)?.area ?? null) : null,
  uploadedAt: upload.uploadedAt.toISOString(),
  sha256: upload.sha256,
  caption: upload.caption,
  isTitled: upload.isTitled,
  isRepaired: upload.isRepaired,
  focus: upload.focusX !== null && upload.focusY !== null ? { x: upload.focusX, y: upload.focusY } : null,
  moves: upload.moves,
  showsFaces: upload.seen && upload.seen.faces.length > 0,
  mayShowWater: video === undefined && shouldAskAboutWater(upload),
  hasOwnMotion: upload.ownMotion !== null,
  style: upload.chosenStyle,
  preview: preview ? { style: preview.shownStyle, url: preview.key && previewUrl(preview.key) } : null,
  shownWithId: upload.shownWithId,
  isLocked: video !== undefined,
  isProcessed: video?.state === 'approved',
  isWaiting: upload.waitingSince !== null,
  video: video?.state === 'approved' ? acceptedView(video, upload) : null,
});

/**
 * A photo in the order's summary. It has no names, texts and pictures, because anyone with the receipt may read the
 * summary.
 */
export const progressView = ({ id, uploadedAt, isLocked, isProcessed, isWaiting }: UploadView): UploadProgress => ({
  id,
  uploadedAt,
  isLocked,
  isProcessed,
  isWaiting,
});

const acceptedView = (video: Video, upload: Upload) => ({
  url: videoUrl(video),
  posterUrl: posterUrl(video),
  downloadUrl: downloadUrl(video, videoFileName(video.place + 1, upload)),
});

/** A purchase, as its customer and the owner see it. */
export const purchaseView = (order: Order): Purchase => ({
  id: order.id,
  orderNumber: order.orderNumber,
  productType: order.productType,
  quantity: order.frameId === null ? order.quantity : order.extraPackages,
  customerFirstName: order.firstName,
  customerLastName: order.lastName,
  shippingAddress: order.shippingAddress,
  gift: order.gift,
  lines: order.lines,
  subtotalAmount: order.subtotalCents,
  discountAmount: order.discountCents,
  promoCode: order.promoCode,
  taxAmount: order.taxCents,
  taxRate: order.taxRate,
  taxJurisdiction: order.taxJurisdiction,
  totalAmount: order.totalCents,
  giftCardAmount: order.giftCardCents,
  refundedAmount: order.refundedCents,
  parcel: order.shippedAt && {
    shippedAt: order.shippedAt.toISOString(),
    carrier: order.trackingCarrier,
    trackingNumber: order.trackingNumber,
    deliveredAt: order.deliveredAt?.toISOString() ?? null,
  },
  canceledAt: order.canceledAt?.toISOString() ?? null,
  createdAt: order.createdAt.toISOString(),
});
