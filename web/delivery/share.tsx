import { QrCode as QrIcon, Share2 } from 'lucide-react';
import { useState } from 'react';
import { dayAfter, toShopDay, dayText } from '#contract/calendar.ts';
import type { Delivery } from '#contract/delivery.ts';
import { ShareForm } from '#contract/delivery-forms.ts';
import { send } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form, FormButtons, FormProblem, TextField, useShopForm } from '../ui/form.tsx';
import { CopyableLink, ShareSheet } from '../ui/copyable-link.tsx';
import { toast } from '../ui/toast.ts';
import { useDeliveryChange } from './delivery-query.ts';
import { lastDayText } from './last-day.ts';

/** Shows a QR code on a computer's screen, with which a phone opens this page. */
export function PhoneQrCode() {
  const [url, setUrl] = useState<string>();
  return (
    <>
      <button
        type="button"
        onClick={() => setUrl(location.href)}
        className="needs-script mt-2 inline-flex max-sm:pointer-coarse:hidden min-h-11 items-center gap-2 font-semibold text-paper underline decoration-1 underline-offset-4 hover:text-clay"
      >
        <QrIcon aria-hidden className="size-5" />
        Open on your phone
      </button>
      {url && (
        <Dialog
          open
          onOpenChange={() => setUrl(undefined)}
          size="small"
          title="Open on your phone"
          description="Point your phone’s camera at the code. Anyone with the code can open this page, so only show it to people you trust."
        >
          <CopyableLink url={url} what="this page" />
        </Dialog>
      )}
    </>
  );
}

/**
 * Share links for other viewers. A link expires at the end of the day that the customer chooses, or when the customer
 * ends it.
 */
export function Share({ delivery, token }: { delivery: Delivery; token: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { shares } = delivery;
  const { change } = useDeliveryChange(token);
  const endShareLink = async (id: string) => {
    try {
      const { message } = await send('DELETE /api/delivery/:token/shares/:id', { params: { token, id } });
      change((it) => ({ ...it, shares: it.shares.filter((each) => each.id !== id) }));
      toast({ title: 'Link ended', description: message });
    } catch (error) {
      toast({ title: 'Link not ended', description: errorText(error), destructive: true });
    }
  };
  return (
    <aside aria-label="Share the videos" className="rounded-xl bg-night-soft p-6">
      <h2 className="title-3">Share with family</h2>
      <p className="mt-2 text-sand">
        Make a link so others can watch and save the videos until a day you choose. They can’t change anything.
      </p>
      <Button look="on-night" wide className="mt-4" onClick={() => setIsOpen(true)}>
        <Share2 aria-hidden className="size-5" />
        Make a link to share
      </Button>
      {shares.length > 0 && (
        <ul className="mt-4 divide-y divide-sand/25">
          {shares.map(({ id, createdAt, expiresAt }) => (
            <li key={id} className="flex items-center justify-between gap-3 py-2 text-[0.9375rem] text-sand">
              <span>
                Link of {dayText(createdAt)}, open until {lastDayText(expiresAt)}
              </span>
              <button
                type="button"
                aria-label={`End the link of ${dayText(createdAt)}`}
                onClick={() => void endShareLink(id)}
                className="min-h-11 shrink-0 px-2 font-semibold text-paper underline underline-offset-4 hover:text-clay"
              >
                End it
              </button>
            </li>
          ))}
        </ul>
      )}
      {isOpen && <ShareDialog delivery={delivery} token={token} onClose={() => setIsOpen(false)} />}
    </aside>
  );
}

function ShareDialog(props: { delivery: Delivery; token: string; onClose: () => void }) {
  const { delivery, token, onClose } = props;
  const [link, setLink] = useState<{ url: string; expiresAt: string }>();
  const { refresh } = useDeliveryChange(token);
  const [today] = useState(() => toShopDay(Date.now()));
  const lastDay = toShopDay(delivery.expiresAt);
  const dayInAMonth = dayAfter(today, 30);
  const form = useShopForm(ShareForm, {
    defaultValues: { lastDay: dayInAMonth < lastDay ? dayInAMonth : lastDay },
    onSubmit: async (body) => {
      setLink(await send('POST /api/delivery/:token/shares', { params: { token }, body }));
      void refresh();
    },
  });
  if (link)
    return (
      <Dialog
        open
        onOpenChange={onClose}
        size="small"
        title="Your link to share"
        description={`It works until ${lastDayText(link.expiresAt)}. We only show it once. You can end it at any time.`}
      >
        <CopyableLink url={link.url} what="the shared link" />
        <ShareSheet url={link.url} title={`Videos of ${delivery.firstName || 'our family'}`} />
      </Dialog>
    );
  return (
    <Dialog open onOpenChange={onClose} size="small" title="How long should the link work?">
      <Form form={form} className="mt-5 space-y-5">
        <TextField
          form={form}
          name="lastDay"
          type="date"
          label="Last day"
          hint={`${dayText(delivery.expiresAt)} at the latest, when we delete the videos.`}
        />
        <FormProblem form={form} />
        <FormButtons form={form} words="Make the link" busyLabel="Making..." onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
