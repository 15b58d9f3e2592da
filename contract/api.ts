import { account } from './account.ts';
import { accounts } from './accounts.ts';
import { addons } from './addons.ts';
import { analytics } from './analytics.ts';
import { arrivals } from './arrivals.ts';
import { checkout } from './checkout.ts';
import { collect } from './collect.ts';
import { content } from './content.ts';
import { delivery } from './delivery.ts';
import { frames } from './frames.ts';
import { giftCards } from './gift-cards.ts';
import { orders } from './orders.ts';
import { ownerAnalytics } from './owner/analytics.ts';
import { ownerAudit } from './owner/audit.ts';
import { ownerMargins } from './owner/margins.ts';
import { ownerCartReminders } from './owner/cart-reminders.ts';
import { ownerContent } from './owner/content.ts';
import { ownerDaySheet } from './owner/day-sheet.ts';
import { ownerFrames } from './owner/frames.ts';
import { ownerGiftCards } from './owner/gift-cards.ts';
import { ownerLabels } from './owner/labels.ts';
import { ownerMails } from './owner/mails.ts';
import { ownerOrders } from './owner/orders.ts';
import { ownerPayments } from './owner/payments.ts';
import { ownerPeople } from './owner/people.ts';
import { ownerPhotos } from './owner/photos.ts';
import { ownerProduction } from './owner/production.ts';
import { ownerPhoneOrders } from './owner/phone-orders.ts';
import { ownerReturns } from './owner/returns.ts';
import { ownerReviews } from './owner/reviews.ts';
import { ownerSecurity } from './owner/security.ts';
import { ownerSession } from './owner/session.ts';
import { ownerStaff } from './owner/staff.ts';
import { ownerPush } from './owner/push.ts';
import { ownerStock } from './owner/stock.ts';
import { ownerTickets } from './owner/tickets.ts';
import { ownerUploadLinks } from './owner/upload-links.ts';
import { photos } from './photos.ts';
import { play } from './play.ts';
import { postalCodes } from './postal-codes.ts';
import { proof } from './proof.ts';
import { proofOfWork } from './proof-of-work.ts';
import { returns } from './returns.ts';
import { reviews } from './reviews.ts';
import { sandbox } from './sandbox.ts';
import { staffInvitations } from './staff-invitations.ts';
import { stock } from './stock.ts';
import { support } from './support.ts';
import { trials } from './trials.ts';
import { uploadLinks } from './upload-links.ts';

/** Every operation of the HTTP API. The browser imports only its type. */
export const api = {
  ...content,
  ...checkout,
  ...postalCodes,
  ...addons,
  ...orders,
  ...accounts,
  ...account,
  ...frames,
  ...giftCards,
  ...photos,
  ...arrivals,
  ...uploadLinks,
  ...trials,
  ...collect,
  ...delivery,
  ...play,
  ...proof,
  ...proofOfWork,
  ...returns,
  ...reviews,
  ...staffInvitations,
  ...stock,
  ...support,
  ...analytics,
  ...ownerAnalytics,
  ...ownerAudit,
  ...ownerMargins,
  ...ownerCartReminders,
  ...ownerContent,
  ...ownerDaySheet,
  ...ownerFrames,
  ...ownerGiftCards,
  ...ownerLabels,
  ...ownerMails,
  ...ownerOrders,
  ...ownerPayments,
  ...ownerPeople,
  ...ownerPhoneOrders,
  ...ownerPhotos,
  ...ownerProduction,
  ...ownerReturns,
  ...ownerReviews,
  ...ownerSecurity,
  ...ownerSession,
  ...ownerStaff,
  ...ownerPush,
  ...ownerStock,
  ...ownerTickets,
  ...ownerUploadLinks,
  ...sandbox,
};
export type Api = typeof api;
export type Route = keyof Api;
