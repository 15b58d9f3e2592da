import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { dayText } from '#contract/calendar.ts';
import { formatDollars } from '#contract/catalog.ts';
import type { BoughtGiftCard } from '#contract/gift-cards.ts';
import { send } from '../data/api.ts';
import { errorText, isRefusal } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card, Notice, Skeleton } from '../ui/surfaces.tsx';
import { expectToasts, toast } from '../ui/toast.ts';

/** /gift-cards/:token: the purchase of a gift card, for its buyer, who can print the card here. */
export function BoughtGiftCardPage({ token }: { token: string }) {
  const {
    data: card,
    error,
    refetch,
  } = useQuery({
    queryKey: ['/api', 'gift-cards', 'bought', token],
    queryFn: () => send('POST /api/gift-cards/bought', { body: { token } }),
  });
  useEffect(expectToasts, []);
  return (
    <section className="wrap flex justify-center py-12 sm:py-20">
      <div className="w-full max-w-xl">
        {error && !card ? (
          <Notice tone="warn" title="We couldn’t open this gift card" className="sm:p-6">
            <h1 className="sr-only">Gift card</h1>
            <p className="mt-1">
              {errorText(error)}{' '}
              {isRefusal(error, 'not-found') &&
                'The link may have expired. Please write to us with the number on your receipt.'}
            </p>
            <div className="mt-4 flex flex-wrap gap-3">
              {!isRefusal(error, 'not-found') && <Button onClick={() => void refetch()}>Try again</Button>}
              <LinkButton to={paths.support} look="secondary">
                Contact support
              </LinkButton>
            </div>
          </Notice>
        ) : card ? (
          <BoughtGiftCardDetails card={card} token={token} />
        ) : (
          <Skeleton className="h-96 rounded-xl" />
        )}
      </div>
    </section>
  );
}

function BoughtGiftCardDetails({ card, token }: { card: BoughtGiftCard; token: string }) {
  const { number, isForFrame, amount, state, recipientName, recipientEmail, deliverOn, isSent } = card;
  if (state === 'unpaid')
    return (
      <Notice tone="warn" title="This gift card isn’t paid" className="sm:p-6">
        <h1 className="sr-only">Gift card</h1>
        <p className="mt-1">If you just paid, please wait a minute and reload this page.</p>
      </Notice>
    );
  return (
    <Card className="text-center">
      {state === 'active' && <CircleCheck aria-hidden className="mx-auto size-12 text-good" strokeWidth={1.5} />}
      <h1 className="title-2 mt-4">{state === 'void' ? 'This gift card was canceled' : 'Thank you for your gift'}</h1>
      <p className="mt-3 text-muted">
        Gift card {number}: {isForFrame ? `a Kinframe (${formatDollars(amount)})` : formatDollars(amount)}
        {recipientName && ` for ${recipientName}`}
      </p>
      {state === 'active' && deliverOn !== null && (
        <p className="mt-5 text-lg break-words">
          {isSent ? 'We’ve emailed it' : 'We’ll email it'}
          {recipientEmail && ` to ${recipientEmail}`}
          {!isSent && ` on ${dayText(deliverOn)}`}. Only that email contains the code.
        </p>
      )}
      {state === 'active' && deliverOn === null && <GiftCardDownload token={token} />}
      <p className="mt-6 text-[0.9375rem] text-muted">
        Your receipt is on its way by email. The link in it opens this page again.
      </p>
      <LinkButton to={paths.giftCards} look="secondary" className="mt-5">
        Give another gift card
      </LinkButton>
    </Card>
  );
}

function GiftCardDownload({ token }: { token: string }) {
  const [busy, setBusy] = useState(false);
  const printGiftCard = async () => {
    setBusy(true);
    try {
      const { fileName, pdf } = await send('POST /api/gift-cards/print', { body: { token } });
      const bytes = Uint8Array.from(atob(pdf), (letter) => letter.charCodeAt(0));
      const pdfUrl = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
      const link = document.createElement('a');
      link.href = pdfUrl;
      link.download = fileName;
      link.click();
      // Some browsers read the file after the click.
      setTimeout(() => URL.revokeObjectURL(pdfUrl), 60_000);
      toast({ title: 'Gift card ready', description: 'The PDF is in your downloads. The code is on it.' });
    } catch (error) {
      toast({ title: 'Not ready', description: errorText(error), destructive: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        size="large"
        className="mt-6"
        busy={busy}
        busyLabel="Making the PDF..."
        onClick={() => void printGiftCard()}
      >
        <Printer aria-hidden className="size-5" />
        Download the PDF
      </Button>
      <p className="mt-3 text-[0.9375rem] text-muted">
        Only the PDF contains the code. Each download has a new code. All codes use the same balance.
      </p>
    </>
  );
}
