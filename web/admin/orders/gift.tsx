import { Printer } from 'lucide-react';
import { useState } from 'react';
import { toShopDay, weekdayText } from '#contract/calendar.ts';
import type { Gift } from '#contract/gift-forms.ts';
import { giftCardSignature } from '#contract/gifts.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { DescriptionRow } from '../description-row.tsx';
import { OrderPanelSection } from './order-panel-section.tsx';

/** The details of a gift that are needed for packing. */
export function GiftPart({ order }: { order: AdminOrder }) {
  const { gift } = order;
  if (!gift) return null;
  return (
    <OrderPanelSection title="Gift">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <DescriptionRow label="For">{gift.recipientName}</DescriptionRow>
        {gift.recipientPhone && <DescriptionRow label="Phone">{gift.recipientPhone}</DescriptionRow>}
        <DescriptionRow label="Ship">
          {gift.shipOn ? `Not before ${weekdayText(gift.shipOn)}` : 'As soon as it’s ready'}
        </DescriptionRow>
        <DescriptionRow label="Signed">{giftCardSignature(order)}</DescriptionRow>
        <DescriptionRow label="Message">
          {gift.message ? <span className="break-words whitespace-pre-line">{gift.message}</span> : 'None'}
        </DescriptionRow>
      </dl>
      <p className="mt-2 text-muted">There are no prices in the package, and we don’t email the recipient.</p>
      <LinkButton look="secondary" size="small" className="mt-3" to={paths.giftReceipt(order.id)}>
        <Printer aria-hidden className="size-4.5" />
        Card and gift receipt
      </LinkButton>
    </OrderPanelSection>
  );
}

/** Warns the owner if a gift would ship before its chosen day. */
export function EarlyGiftWarning({ gift }: { gift: Gift | null }) {
  const [today] = useState(() => toShopDay(Date.now()));
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
