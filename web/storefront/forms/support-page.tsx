import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../../paths.ts';
import { loadOnFirstInteraction } from '../../ui/load-on-first-interaction.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { useHeadingFocus } from '../../ui/heading-focus.ts';
import { LazyBoundary, MissingPart } from '../../ui/lazy-boundary.tsx';
import { Link } from '../../ui/link.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { PageIntro } from '../section.tsx';

const SupportRequest = loadOnFirstInteraction(() => import('./support-request.tsx').then((it) => it.SupportRequest));

export function SupportPage() {
  const [ticketNumber, setTicketNumber] = useState<string>();
  if (ticketNumber) return <TicketReceived ticketNumber={ticketNumber} onAnother={() => setTicketNumber(undefined)} />;
  return (
    <>
      <PageIntro
        title="How can we help?"
        lede="Tell us what happened. A person answers, typically within 24 hours on business days."
      />
      <section className="wrap grid gap-12 pb-28 lg:grid-cols-[1.6fr_1fr] lg:gap-20">
        <Card>
          <LazyBoundary instead={<MissingPart inPlace />}>
            <SupportRequest onReceived={setTicketNumber} />
          </LazyBoundary>
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
            <h2 className="title-3">What to have ready</h2>
            <p className="mt-2 text-muted">
              Your order number and the email address you ordered with. Please never send card numbers or passwords.
            </p>
          </div>
        </aside>
      </section>
    </>
  );
}

function TicketReceived({ ticketNumber, onAnother }: { ticketNumber: string; onAnother: () => void }) {
  const heading = useHeadingFocus();
  return (
    <section className="wrap flex flex-col items-center py-24 text-center sm:py-32">
      <CircleCheck aria-hidden className="size-14 text-good" strokeWidth={1.4} />
      <h1 ref={heading} tabIndex={-1} className="title-2 mt-6 outline-none">
        Support Request Received
      </h1>
      <p className="lede mt-4 max-w-xl">
        We sent a confirmation to your email address and will reply there, typically within 24 hours on business days.
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
