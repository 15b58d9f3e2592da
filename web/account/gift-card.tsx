import { Gift } from 'lucide-react';
import type { OrderView } from '#contract/orders.ts';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';
import { GiftText } from '../ui/gift-text.tsx';
import { hasShipped } from './order-stage.ts';
import { TitledCard } from './titled-card.tsx';

/** The details of a gift, on the order's page. Only the customer who bought the gift can see them. */
export function GiftDetailsCard({ order, session }: { order: OrderView; session: string | undefined }) {
  const { gift, isFinalized } = order;
  if (!gift) return null;
  return (
    <TitledCard icon={Gift} title={`A gift for ${gift.recipientName}`}>
      <p className="text-muted">
        <GiftText gift={gift} hasLeft={hasShipped(order)} />
      </p>
      <p className="mt-4">
        This is your order, and we only email you{isFinalized ? '' : ', so the gift stays a surprise'}.
      </p>
      {!isFinalized && (
        <>
          <h3 className="mt-5 font-sans text-base font-semibold tracking-normal">Does someone else have the photos?</h3>
          <p className="mt-1 text-muted">
            Make a link for adding photos in My Uploads. Send it to family, or to {gift.recipientName} once the gift is
            no longer a surprise. Anyone with the link can add photos without an account. You decide which go in the
            frame.
          </p>
          <LinkButton look="secondary" size="small" to={paths.uploadWithSession(session)} className="mt-4">
            Let others add photos
          </LinkButton>
        </>
      )}
    </TitledCard>
  );
}
