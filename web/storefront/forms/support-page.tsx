import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { SupportForm } from '#contract/support-forms.ts';
import { send } from '../../data/api.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { CheckboxField, Form, Honeypot, SubmitButton, TextAreaField, TextField, useShopForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { PageOpening } from '../section.tsx';

export function SupportPage() {
  const [ticketNumber, setTicketNumber] = useState<string>();
  if (ticketNumber) return <Received ticketNumber={ticketNumber} onAnother={() => setTicketNumber(undefined)} />;
  return (
    <>
      <PageOpening
        title="How can we help?"
        lede="Tell us what happened. A person answers, typically within 24 hours on business days."
      />
      <section className="wrap grid gap-12 pb-28 lg:grid-cols-[1.6fr_1fr] lg:gap-20">
        <Card>
          <Request onReceived={setTicketNumber} />
        </Card>
        <aside className="space-y-8">
          <div>
            <h2 className="title-3">Quick answers</h2>
            <p className="mt-2 text-muted">
              Photos, processing times, other frames, returns: see the{' '}
              <Link to={paths.faq} className="link">
                frequently asked questions
              </Link>
              .
            </p>
          </div>
          <div className="border-t border-hair pt-8">
            <h2 className="title-3">Good to have at hand</h2>
            <p className="mt-2 text-muted">
              Your order number, and the e-mail address you ordered with. Please never send card numbers or passwords.
            </p>
          </div>
        </aside>
      </section>
    </>
  );
}

function Request({ onReceived }: { onReceived: (ticketNumber: string) => void }) {
  const form = useShopForm(SupportForm, {
    fallbackWords: 'Failed to submit support request. Please try again.',
    onSubmit: async (values) => {
      const { ticket } = await send('POST /api/support-tickets', { body: { ...values, kind: 'support' } });
      toast({
        title: 'Support request submitted!',
        description: "We've sent a confirmation email with your ticket number.",
      });
      onReceived(ticket.ticketNumber);
    },
    onProblem: (words) => toast({ title: 'Error', description: words, destructive: true }),
  });
  return (
    <Form form={form} label="Support request">
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField form={form} name="name" label="Name" autoComplete="name" />
        <TextField form={form} name="email" label="Email" type="email" inputMode="email" autoComplete="email" />
      </div>
      <TextField form={form} name="phone" label="Phone" type="tel" inputMode="tel" autoComplete="tel" optional />
      <CheckboxField
        form={form}
        name="smsConsent"
        label="You may text me about this request"
        hint="Message and data rates may apply. You can opt out at any time by replying STOP."
      />
      <TextField form={form} name="subject" label="Subject" />
      <TextAreaField form={form} name="message" label="Message" rows={7} />
      <Honeypot form={form} name="_honeypot" />
      <SubmitButton form={form} size="large" busyWords="Submitting...">
        Submit Request
      </SubmitButton>
    </Form>
  );
}

function Received({ ticketNumber, onAnother }: { ticketNumber: string; onAnother: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo({ top: 0, behavior: 'instant' });
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section className="wrap flex flex-col items-center py-24 text-center sm:py-32">
      <CircleCheck aria-hidden className="size-14 text-good" strokeWidth={1.4} />
      <h1 ref={heading} tabIndex={-1} className="title-2 mt-6 outline-none">
        Support Request Received
      </h1>
      <p className="lede mt-4 max-w-xl">
        We have sent a confirmation to your e-mail address and will answer there, typically within 24 hours on business
        days.
      </p>
      <p className="mt-8 rounded-xl bg-linen px-8 py-5">
        <span className="block text-muted">Your ticket number</span>
        <strong className="font-serif text-3xl font-medium tabular-nums">{ticketNumber}</strong>
      </p>
      <div className="mt-10 flex flex-wrap justify-center gap-3">
        <Button look="secondary" onClick={onAnother}>
          Submit Another Request
        </Button>
        <LinkButton to={paths.home}>Back to Home</LinkButton>
      </div>
      <p className="mt-8 text-muted">
        In the meantime, the{' '}
        <Link to={paths.faq} className="link">
          frequently asked questions
        </Link>{' '}
        may already help.
      </p>
    </section>
  );
}
