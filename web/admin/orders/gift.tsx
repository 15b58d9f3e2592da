import { Printer } from 'lucide-react';
import { useState } from 'react';
import { dayOf, weekdayText } from '#contract/calendar.ts';
import type { Gift } from '#contract/gift-forms.ts';
import { signatureOf } from '#contract/gifts.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { Fact } from '../fact.tsx';
import { Part } from './part.tsx';

/** The details of a gift that are needed for packing. */
export function GiftPart({ order }: { order: AdminOrder }) {
  const { gift } = order;
  if (!gift) return null;
  return (
    <Part title="Gift">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <Fact label="For">{gift.recipientName}</Fact>
        <Fact label="Ship">{gift.shipOn ? `Not before ${weekdayText(gift.shipOn)}` : 'As soon as it’s ready'}</Fact>
        <Fact label="Signed">{signatureOf(order)}</Fact>
        <Fact label="Message">
          {gift.message ? <span className="break-words whitespace-pre-line">{gift.message}</span> : 'None'}
        </Fact>
      </dl>
      <p className="mt-2 text-muted">There are no prices in the package, and we don’t email the recipient.</p>
      <LinkButton look="secondary" size="small" className="mt-3" to={paths.giftReceipt(order.id)}>
        <Printer aria-hidden className="size-4.5" />
        Card and gift receipt
      </LinkButton>
    </Part>
  );
}

/** Warns the owner if a gift would ship before its chosen day. */
export function EarlyGift({ gift }: { gift: Gift | null }) {
  const [today] = useState(() => dayOf(Date.now()));
  if (!gift?.shipOn || gift.shipOn <= today) return null;
  return (
    <Notice
      tone="warn"
      title={`This is a gift. Please don’t ship it before ${weekdayText(gift.shipOn)}`}
      className="mt-5"
    >
      <p>If you ship now, it may arrive too early.</p>
    </Notice>
  );
}
