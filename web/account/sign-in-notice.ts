import { wasPaidSince } from '../data/payment-memory.ts';
import { toast } from '../ui/toast.ts';

const justNowMs = 5000;

/**
 * Shows the specified notice that asks to sign in. Does not show it in the first seconds after a payment: it would
 * replace the notice that the payment succeeded, and the page itself asks to sign in too.
 */
export function showSignInNotice(): void {
  if (wasPaidSince(Date.now() - justNowMs)) return;
  toast({ title: 'Authentication Required', description: 'Please sign in to upload your photos', destructive: true });
}
