import { Printer } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { AdminLabel } from '#contract/owner/labels.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { trackingUrl } from '#contract/tracking.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Badge, Notice } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../session.ts';
import { labelStateBadges, labelText } from './label-text.ts';
import { useRefreshLabels } from './use-refresh-labels.ts';

/** The labels of an order, newest first, with their PDF and a button to void them. */
export function Labels({ order, labels }: { order: AdminOrder; labels: readonly AdminLabel[] }) {
  const [voided, setVoided] = useState<AdminLabel>();
  if (labels.length === 0) return null;
  return (
    <>
      <ul aria-label="Shipping labels" className="mt-3 divide-y divide-hair border-y border-hair">
        {labels.map((label) => (
          <OneLabel key={label.id} label={label} onVoid={() => setVoided(label)} />
        ))}
      </ul>
      {voided && <VoidDialog order={order} label={voided} onClose={() => setVoided(undefined)} />}
    </>
  );
}

function OneLabel({ label, onVoid }: { label: AdminLabel; onVoid: () => void }) {
  const { state, trackingNumber, problem, deliveredAt } = label;
  const { label: stateText, tone } = labelStateBadges[state];
  const isUsable = state === 'bought' || state === 'void-refused';
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="font-semibold">{labelText(label)}</p>
        <Badge tone={tone}>{stateText}</Badge>
      </div>
      {trackingNumber && <TrackingNumber label={label} />}
      {state === 'buying' && (
        <p className="text-muted">
          We’re asking the label service whether it was bought. Please don’t buy another one.
        </p>
      )}
      {problem && <p className="text-muted">{problem}.</p>}
      {deliveredAt && <p>Delivered {shortMomentText(deliveredAt)}</p>}
      {isUsable && label.isOutdated && (
        <Notice tone="warn" title="The address has changed" className="mt-2">
          This label has the old address. Please void it and buy another one.
        </Notice>
      )}
      {isUsable && (
        <div className="mt-2 flex flex-wrap items-center gap-3">
          <LabelPdfs label={label} />
          <Button look="secondary" size="small" onClick={onVoid}>
            Void label...
          </Button>
        </div>
      )}
    </li>
  );
}

function TrackingNumber({ label: { carrier, trackingNumber } }: { label: AdminLabel }) {
  const url = trackingUrl(carrier, trackingNumber);
  return (
    <p className="font-mono text-sm break-all select-all">
      {url ? (
        <a href={url} target="_blank" rel="noreferrer" className="link" aria-label={`Track ${trackingNumber}`}>
          {trackingNumber}
        </a>
      ) : (
        trackingNumber
      )}
    </p>
  );
}

/** Links to the PDFs of a label. The shop fetches them a moment after the purchase. */
export function LabelPdfs({ label }: { label: AdminLabel }) {
  const { pdfUrl, customsPdfUrl, hasCustoms, state } = label;
  if (!pdfUrl)
    return <p className="text-muted">{state === 'bought' ? 'The PDF is on its way.' : 'The PDF was deleted.'}</p>;
  return (
    <>
      <PdfLink url={pdfUrl}>Open the label (PDF)</PdfLink>
      {customsPdfUrl && <PdfLink url={customsPdfUrl}>Open the customs form (PDF)</PdfLink>}
      {hasCustoms && !customsPdfUrl && <p className="w-full text-muted">{noCustomsPdfText}</p>}
    </>
  );
}
const noCustomsPdfText = 'There’s no separate customs form to print.';

function PdfLink({ url, children }: { url: string; children: ReactNode }) {
  return (
    <LinkButton look="secondary" size="small" to={url} target="_blank" rel="noreferrer">
      <Printer aria-hidden className="size-4.5" />
      {children}
    </LinkButton>
  );
}

function VoidDialog({ order, label, onClose }: { order: AdminOrder; label: AdminLabel; onClose: () => void }) {
  const refresh = useRefreshLabels(order.id);
  const handleSessionEnd = useSessionEnd();
  const isShippedWithIt = order.parcel !== null && order.parcel.trackingNumber === label.trackingNumber;
  const voidLabel = async () => {
    try {
      const { state } = await send('POST /api/admin/labels/:id/void', { params: { id: label.id } });
      toast({
        title: state === 'voided' ? 'Label refunded' : 'Label voided',
        description:
          state === 'voided'
            ? 'The money is back in your account at the label service.'
            : 'The carrier decides about the refund. That can take some weeks.',
      });
    } catch (error) {
      toast({ title: 'Not voided', description: errorText(error, 'Failed to void the label'), destructive: true });
      handleSessionEnd(error);
      throw error;
    } finally {
      refresh();
    }
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Void this label?"
      description={`We’ll ask for a refund of ${labelText(label)}. Please don’t use the label afterwards. The customer isn’t emailed.`}
      confirmLabel="Void label"
      busyLabel="Voiding..."
      destructive
      onConfirm={voidLabel}
    >
      {isShippedWithIt && (
        <Notice tone="warn" title="This order is marked as shipped with this label" className="mt-4">
          Void it only if the package hasn’t left. The order stays marked as shipped.
        </Notice>
      )}
    </ConfirmDialog>
  );
}
