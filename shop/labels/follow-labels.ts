import { and, asc, eq, gt, inArray, isNull, lt, or } from 'drizzle-orm';
import type { LabelService } from '../ports/label-service.ts';
import { storeLabelPdf, type LabelFileScope } from './label-files.ts';
import { recordFailure, recordPurchase, recordRefund, requestLabelRefund, type Label } from './labels.ts';
import { labels } from './labels.sql.ts';

const secondMs = 1000;
/** A purchase that is this young may still be waiting for its response. */
const purchaseMs = 90 * secondMs;
/** The service answers all its calls within minutes. After this time, a purchase that it does not know was never made. */
const lostAfterMs = 10 * 60 * secondMs;
const refundEveryMs = 3600 * secondMs;
const pdfTriesMs = 24 * 3600 * secondMs;
/** How many labels one run looks at. */
const mostLabels = 50;

/**
 * Asks the service about labels whose outcome the shop does not know: purchases and refunds without a response, and
 * labels without their PDF. A process that was killed in between leaves such labels. An error with one label does not
 * keep the others waiting. Returns the number of labels that changed.
 */
export async function followLabels(
  scope: LabelFileScope,
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
): Promise<number> {
  const { labels: service } = scope;
  if (!service) return 0;
  let changed = 0;
  for (const label of await readUnfinishedLabels(scope)) {
    if (signal.aborted) break;
    try {
      const labelAfter = await followLabel(scope, service, label);
      if (labelAfter.state !== label.state || labelAfter.pdfKey !== label.pdfKey) changed += 1;
    } catch (error) {
      onError(error);
    }
  }
  return changed;
}

function readUnfinishedLabels({ db, clock }: LabelFileScope): Promise<Label[]> {
  const now = clock.now().getTime();
  const computeTimeMsAgo = (ms: number) => new Date(now - ms);
  const isDue = or(
    and(eq(labels.state, 'buying'), lt(labels.buyingAt, computeTimeMsAgo(purchaseMs))),
    and(
      eq(labels.state, 'voiding'),
      lt(labels.voidingAt, computeTimeMsAgo(purchaseMs)),
      or(isNull(labels.checkedAt), lt(labels.checkedAt, computeTimeMsAgo(refundEveryMs))),
    ),
    and(
      inArray(labels.state, ['bought']),
      isNull(labels.pdfKey),
      isNull(labels.erasedAt),
      lt(labels.boughtAt, computeTimeMsAgo(purchaseMs)),
      gt(labels.boughtAt, computeTimeMsAgo(pdfTriesMs)),
    ),
  );
  return db.select().from(labels).where(isDue).orderBy(asc(labels.updatedAt)).limit(mostLabels);
}

async function followLabel(scope: LabelFileScope, service: LabelService, label: Label): Promise<Label> {
  if (label.state === 'bought') return storeLabelPdf(scope, label);
  const shipment = await service.find(label.shipmentId);
  if (label.state === 'voiding')
    return shipment.refund === 'none'
      ? requestLabelRefund(scope, service, label)
      : recordRefund(scope, label.id, shipment);
  if (shipment.label) return storeLabelPdf(scope, await recordPurchase(scope, label.id, shipment));
  const isPurchaseLost = scope.clock.now().getTime() - label.buyingAt!.getTime() > lostAfterMs;
  return isPurchaseLost ? recordFailure(scope, label.id, 'The label service did not make the label') : label;
}
