import { Gift } from 'lucide-react';
import type { OrderView } from '#contract/orders.ts';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';
import { GiftWords } from '../ui/gift-words.tsx';
import { hasLeft } from './order-stage.ts';
import { TitledCard } from './titled-card.tsx';

/** What its giver, and nobody else, sees of a present. */
export function GiftCard({ order, session }: { order: OrderView; session: string | undefined }) {
  const { gift, isFinalized } = order;
  if (!gift) return null;
  return (
    <TitledCard icon={Gift} title={`A gift for ${gift.recipientName}`}>
      <p className="text-muted">
        <GiftWords gift={gift} hasLeft={hasLeft(order)} />
      </p>
      <p className="mt-4">
        The order stays yours, and we write to nobody but you{isFinalized ? '' : ', so nothing gives the present away'}.
      </p>
      {!isFinalized && (
        <>
          <h3 className="mt-5 font-sans text-base font-semibold tracking-normal">Somebody else has the photos?</h3>
          <p className="mt-1 text-muted">
            Make a collect link in My Uploads and send it to the family, or to {gift.recipientName} once they may know.
            Whoever has it adds photos without an account; you decide which go into the frame.
          </p>
          <LinkButton look="secondary" size="small" to={paths.uploadWithSession(session)} className="mt-4">
            Let others add photos
          </LinkButton>
        </>
      )}
    </TitledCard>
  );
}
