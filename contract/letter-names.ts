import type { LetterKind } from './letters.ts';

/** What a kind of letter is called in the admin panel and in an order's history. */
export const letterNames: Record<LetterKind, string> = {
  receipt: 'Receipt',
  'addon-receipt': 'Receipt of a photo package',
  'photo-reminder': 'Photo reminder',
  finalized: 'Photos received',
  'videos-ready': 'Videos ready',
  shipped: 'Shipped',
  refund: 'Refund',
  'ticket-received': 'Ticket received',
  'ticket-answered': 'Ticket answered',
  'password-reset': 'Password reset',
  'email-confirmation': 'Email confirmation',
  'upload-link': 'Upload link',
  'owner-sale': 'To you: sale',
  'owner-ticket': 'To you: ticket',
  'owner-failed-job': 'To you: failed job',
  'owner-dispute': 'To you: dispute',
  'owner-refund-failed': 'To you: refund failed',
  'owner-payment-mismatch': 'To you: payment without an order',
  'owner-second-payment-refunded': 'To you: second payment refunded',
};

/** Letters to the owner, not to the customer. */
export const isToOwner = (kind: LetterKind): boolean => kind.startsWith('owner-');
