import { wasPaidSince } from '../data/payment-memory.ts';
import { toast } from '../ui/toast.ts';

const justNowMs = 5000;

/** The specified notice. Who comes straight from paying reads that it worked; the page itself asks to sign in. */
export function askToSignIn(): void {
  if (wasPaidSince(Date.now() - justNowMs)) return;
  toast({ title: 'Authentication Required', description: 'Please sign in to upload your photos', destructive: true });
}
