import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { countText } from '#contract/count-text.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { maxPastedShipments, readShippingLines, type UnreadableLine } from '#contract/shipping-lines.ts';
import { query, send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Field, TextArea } from '../../ui/field.tsx';
import { Badge, Notice } from '../../ui/surfaces.tsx';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { useSessionEnd } from '../session.ts';
import { CarrierInput, carrierHint } from './carrier-input.tsx';
import { customerNameText } from './name-of.ts';
import { shipInTurn, type ShippingOutcome } from './ship-in-turn.ts';
import { checkShippingLines, computeTodayInShop, type CheckedShippingLine } from './ship-many-rows.ts';
import { useShowOrder } from './use-show-order.ts';

interface CheckedLines {
  rows: CheckedShippingLine[];
  unread: UnreadableLine[];
}

/** Ships several packages: reads pasted or scanned lines, shows what it found, and ships after one confirmation. */
export function ShipManyDialog({ orders, onClose }: { orders: readonly AdminOrder[]; onClose: () => void }) {
  const [begun] = useState(() =>
    orders
      .filter(canBeShippedNow)
      .map((it) => `${it.orderNumber}, \n`)
      .join(''),
  );
  const [text, setText] = useState(begun);
  const [carrier, setCarrier] = useState('');
  const [tellCustomer, setTellCustomer] = useState(true);
  const [checked, setChecked] = useState<CheckedLines>();
  /** The lines with warnings that the owner ships anyway. */
  const [anyway, setAnyway] = useState<ReadonlySet<number>>(new Set());
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, ShippingOutcome>>(new Map());
  const [busy, setBusy] = useState<'checking' | 'shipping'>();
  const [problem, setProblem] = useState<string>();
  const queryClient = useQueryClient();
  const showOrder = useShowOrder();
  const handleSessionEnd = useSessionEnd();
  const resultsHeadingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (checked) resultsHeadingRef.current?.focus();
  }, [checked]);

  const checkLines = async () => {
    const { lines, unread } = readShippingLines(text);
    if (lines.length + unread.length === 0) return setProblem('Please paste or scan at least one line.');
    setProblem(undefined);
    setBusy('checking');
    try {
      const orderNumbers = lines.map((it) => it.orderNumber).join(',');
      const foundOrders = lines.length === 0 ? [] : await queryClient.fetchQuery(shippingCheckQuery(orderNumbers));
      setAnyway(new Set());
      setOutcomes(new Map());
      setChecked({ rows: checkShippingLines(lines, foundOrders, carrier, computeTodayInShop()), unread });
    } catch (error) {
      setProblem(errorText(error, 'Failed to check the lines'));
      handleSessionEnd(error);
    } finally {
      setBusy(undefined);
    }
  };

  const isDone = ({ line }: CheckedShippingLine) => outcomes.get(line)?.state === 'shipped';
  const isChosen = (row: CheckedShippingLine) =>
    row.problem === undefined && (row.warnings.length === 0 || anyway.has(row.line)) && !isDone(row);
  const rows = checked?.rows ?? [];
  const chosenRows = rows.filter(isChosen);
  const shippedRows = rows.filter(isDone);
  const hasBegun = outcomes.size > 0;

  const shipAll = async () => {
    setBusy('shipping');
    await shipInTurn(chosenRows, {
      ship: async ({ carrier, trackingNumber, order }) => {
        const body = { carrier, trackingNumber, isFirst: true, ...(!tellCustomer && { tellCustomer }) };
        showOrder(await send('POST /api/admin/orders/:id/shipment', { params: { id: order!.id }, body }));
      },
      note: ({ line }, outcome) => setOutcomes((before) => new Map(before).set(line, outcome)),
      onError: handleSessionEnd,
    });
    setBusy(undefined);
  };

  const isDirty = busy !== undefined || (text !== begun && shippedRows.length === 0) || chosenRows.length > 0;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Ship packages"
      size="wide"
      description={
        tellCustomer
          ? 'We’ll email each customer once, with the tracking number.'
          : 'We won’t email the customers about these packages.'
      }
    >
      {checked === undefined ? (
        <form
          aria-label="Packages"
          className="mt-6 space-y-5"
          onSubmit={(event) => {
            event.preventDefault();
            void checkLines();
          }}
        >
          <Field
            label="Order numbers and tracking numbers"
            hint={`One package per line, such as KF-7Q4M-2XPA, 1Z999AA10123456784. You can add the carrier at the end. Up to ${maxPastedShipments} lines. Scanned codes can each be on their own line.`}
            error={problem}
          >
            {(tied) => (
              <TextArea
                {...tied}
                rows={10}
                value={text}
                spellCheck={false}
                autoComplete="off"
                className="font-mono text-sm"
                onChange={(event) => setText(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label="Carrier for lines without one" optional hint={carrierHint}>
            {(tied) => (
              <CarrierInput
                {...tied}
                maxLength={60}
                value={carrier}
                onChange={(event) => setCarrier(event.currentTarget.value)}
              />
            )}
          </Field>
          <div className="flex flex-wrap justify-end gap-3">
            <Button type="submit" busy={busy === 'checking'} busyLabel="Checking...">
              Check lines
            </Button>
          </div>
        </form>
      ) : (
        <div className="mt-6">
          <h3 ref={resultsHeadingRef} tabIndex={-1} className="text-lg outline-none">
            {resultText(rows, checked.unread)}
          </h3>
          <ul className="mt-3 divide-y divide-hair border-y border-hair">
            {rows.map((row) => (
              <Result
                key={row.line}
                row={row}
                outcome={outcomes.get(row.line)}
                isAnyway={anyway.has(row.line)}
                isBusy={busy !== undefined}
                onAnyway={(is) => setAnyway(toggleLine(anyway, row.line, is))}
              />
            ))}
            {checked.unread.map(({ line, text: typed, problem }) => (
              <li key={`${line} ${problem}`} className="py-3">
                <LineHeading line={line} words={typed} tone="bad" badge="Not read" />
                <p className="wrap-anywhere text-bad">{problem}</p>
              </li>
            ))}
          </ul>
          <div role="status" className="mt-4">
            {hasBegun && busy === undefined && (
              <Notice
                tone={chosenRows.length > 0 ? 'warn' : 'good'}
                title={`${countText(shippedRows.length, 'package')} shipped`}
              >
                {chosenRows.length > 0
                  ? `${countText(chosenRows.length, 'package')} not shipped. You can try again. No customer will get two emails.`
                  : tellCustomer
                    ? 'We’re emailing each customer once.'
                    : 'We didn’t email the customers.'}
              </Notice>
            )}
            {busy === 'shipping' && <p className="text-muted">{`${shippedRows.length} shipped...`}</p>}
          </div>
          {(chosenRows.length > 0 || !hasBegun) && (
            <Checkbox
              className="mt-5"
              label="Email the customers"
              checked={tellCustomer}
              disabled={busy !== undefined || hasBegun}
              onChange={(event) => setTellCustomer(event.currentTarget.checked)}
            />
          )}
          <div className="mt-5 flex flex-wrap justify-end gap-3">
            <Button look="secondary" disabled={busy !== undefined} onClick={() => setChecked(undefined)}>
              {hasBegun ? 'More packages' : 'Change lines'}
            </Button>
            {chosenRows.length > 0 || !hasBegun ? (
              <Button
                busy={busy === 'shipping'}
                busyLabel="Shipping..."
                disabled={chosenRows.length === 0}
                onClick={() => void shipAll()}
              >
                {`${hasBegun ? 'Try again to ship' : 'Ship'} ${countText(chosenRows.length, 'package')}, ${mailText(chosenRows.length, tellCustomer)}`}
              </Button>
            ) : (
              <Button onClick={onClose}>Done</Button>
            )}
          </div>
        </div>
      )}
      <UnsavedChangesDialog isDirty={isDirty} />
    </Dialog>
  );
}

const mailText = (count: number, tellCustomer: boolean) =>
  tellCustomer ? `email ${count === 1 ? 'the customer' : 'the customers'}` : 'no email';

export const canBeShippedNow = ({ isShippable, parcel, canceledAt }: AdminOrder) =>
  isShippable && !parcel && !canceledAt;

const shippingCheckQuery = (numbers: string) => ({
  ...query('/api/admin/shipping-checks', { query: { numbers } }),
  staleTime: 0,
  gcTime: 0,
});

function toggleLine(lines: ReadonlySet<number>, line: number, isOn: boolean): ReadonlySet<number> {
  const otherLines = [...lines].filter((it) => it !== line);
  return new Set(isOn ? [...otherLines, line] : otherLines);
}

function resultText(rows: CheckedShippingLine[], unread: UnreadableLine[]): string {
  const readyCount = rows.filter((it) => it.problem === undefined && it.warnings.length === 0).length;
  const warnedCount = rows.filter((it) => it.warnings.length > 0).length;
  const wrongCount = rows.length + unread.length - readyCount - warnedCount;
  return [
    ...(readyCount > 0 || rows.length + unread.length === 0 ? [`${readyCount} ready`] : []),
    ...(warnedCount > 0 ? [`${warnedCount} with warnings`] : []),
    ...(wrongCount > 0 ? [`${wrongCount} not possible`] : []),
  ].join(', ');
}

interface ResultProps {
  row: CheckedShippingLine;
  outcome: ShippingOutcome | undefined;
  isAnyway: boolean;
  isBusy: boolean;
  onAnyway: (is: boolean) => void;
}

function Result({ row, outcome, isAnyway, isBusy, onAnyway }: ResultProps) {
  const { line, orderNumber, trackingNumber, carrier, order, problem, warnings } = row;
  return (
    <li className="py-3">
      <LineHeading line={line} words={orderNumber} {...createBadge(row, outcome)} />
      {order && (
        <p className="wrap-anywhere text-muted">
          {customerNameText(order)}
          {order.shippingAddress && `, ${order.shippingAddress.city}, ${order.shippingAddress.state}`}
          {' · '}
          {order.customerEmail}
        </p>
      )}
      <p className="wrap-anywhere">
        {carrier} <span className="font-mono text-sm">{trackingNumber}</span>
      </p>
      {problem !== undefined && <p className="text-bad">{problem}</p>}
      {outcome?.state === 'failed' && <p className="text-bad">{outcome.words}</p>}
      {warnings.length > 0 && outcome?.state !== 'shipped' && (
        <>
          <ul className="mt-1 list-disc pl-5">
            {warnings.map((it) => (
              <li key={it} className="wrap-anywhere">
                {it}
              </li>
            ))}
          </ul>
          <Checkbox
            className="mt-1"
            label={`Ship ${orderNumber} anyway`}
            checked={isAnyway}
            disabled={isBusy}
            onChange={(event) => onAnyway(event.currentTarget.checked)}
          />
        </>
      )}
    </li>
  );
}

type Tone = 'good' | 'bad' | 'warn' | 'neutral';
const icons = { good: CircleCheck, bad: CircleX, warn: TriangleAlert, neutral: undefined };

function createBadge(
  { problem, warnings }: CheckedShippingLine,
  outcome: ShippingOutcome | undefined,
): { tone: Tone; badge: string } {
  if (outcome?.state === 'shipped') return { tone: 'good', badge: 'Shipped' };
  if (outcome?.state === 'shipping') return { tone: 'neutral', badge: 'Shipping...' };
  if (outcome?.state === 'failed') return { tone: 'bad', badge: 'Not shipped' };
  if (problem !== undefined) return { tone: 'bad', badge: 'Not possible' };
  return warnings.length > 0 ? { tone: 'warn', badge: 'Before you ship' } : { tone: 'good', badge: 'Ready' };
}

function LineHeading({ line, words, tone, badge }: { line: number; words: string; tone: Tone; badge: string }) {
  const Icon = icons[tone];
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="text-sm text-muted">Line {line}</span>
      <span className="min-w-0 font-semibold wrap-anywhere">{words}</span>
      <Badge tone={tone} className="ml-auto">
        {Icon && <Icon aria-hidden className="size-4" />}
        {badge}
      </Badge>
    </p>
  );
}
