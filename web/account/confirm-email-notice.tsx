import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import type { Customer } from '#contract/accounts.ts';
import { send } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { toast } from '../ui/toast.ts';
import { useSessionEnd } from './customer.ts';

/** Until the email is confirmed: explains why to confirm it, and sends the link again. */
export function ConfirmEmailNotice({ customer }: { customer: Customer }) {
  const handleSessionEnd = useSessionEnd();
  const [state, setState] = useState<'open' | 'busy' | 'sent'>('open');
  if (customer.emailConfirmed) return null;
  const sendConfirmationAgain = async () => {
    setState('busy');
    try {
      const { message } = await send('POST /api/auth/resend-confirmation');
      toast({ title: 'Link sent', description: message });
      setState('sent');
    } catch (error) {
      toast({ title: 'Link not sent', description: errorText(error), destructive: true });
      handleSessionEnd(error);
      setState('open');
    }
  };
  return (
    <aside aria-label="Confirm your email" className="border-b border-hair bg-linen/60 text-[0.9375rem]">
      <div className="wrap flex flex-wrap items-center gap-x-3 pt-3 pb-1 sm:py-2">
        <MailCheck aria-hidden className="size-5 shrink-0 text-muted max-sm:hidden" />
        <p className="min-w-0 flex-1 basis-64">
          Please confirm your email. Open the link we sent to{' '}
          <span className="font-semibold break-words">{customer.email}</span> in this browser. Orders you placed as a
          guest will then show up here.
        </p>
        <button
          type="button"
          className="link min-h-11 font-semibold aria-disabled:opacity-60"
          aria-disabled={state !== 'open' || undefined}
          onClick={() => state === 'open' && void sendConfirmationAgain()}
        >
          {state === 'busy' ? 'Sending...' : state === 'sent' ? 'Link sent' : 'Send the link again'}
        </button>
      </div>
    </aside>
  );
}
