import type { LetterKind } from './letters.ts';

/** What a kind of letter is called in the admin panel and in an order's history. */
export const letterNames: Record<LetterKind, string> = {
  receipt: 'Receipt',
  'addon-receipt': 'Receipt of a photo package',
  'photo-reminder': 'Photo reminder',
  finalized: 'Photos received',
  'proof-ready': 'Videos to look at',
  'videos-ready': 'Videos ready',
  'video-again': 'Video made again',
  'review-request': 'Asked for a review',
  shipped: 'Shipped',
  refund: 'Refund',
  'ticket-received': 'Ticket received',
  'ticket-answered': 'Ticket answered',
  'password-reset': 'Password reset',
  'email-confirmation': 'Email confirmation',
  'upload-link': 'Upload link',
  'collect-link': 'Invitation to add photos',
  'sign-in-link': 'Sign-in link',
  'email-change': 'New email to confirm',
  'email-changed': 'Email changed',
  'account-news': 'Account news',
  'credits-given': 'Reupload credits given',
  'photos-erased-soon': 'Photos erased soon',
  'photos-erased': 'Photos erased',
  'owner-sale': 'To you: sale',
  'owner-ticket': 'To you: ticket',
  'owner-failed-job': 'To you: failed job',
  'owner-dispute': 'To you: dispute',
  'owner-fraud-warning': 'To you: fraud warning',
  'owner-refund-failed': 'To you: refund failed',
  'owner-payment-mismatch': 'To you: payment without an order',
  'owner-sweep-stopped': 'To you: files not swept',
  'owner-second-step': 'To you: second step changed',
  'owner-day-sheet': 'To you: day sheet',
  'owner-second-payment-refunded': 'To you: second payment refunded',
};

/** Letters to the owner, not to the customer. */
export const isToOwner = (kind: LetterKind): boolean => kind.startsWith('owner-');
