import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bell, BellOff, ChevronDown, ChevronRight, CircleCheck } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { dayLineText, lastBackupText, newOrdersText, type DayLineText } from '#contract/day-sheet-lines.ts';
import { query, send } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { Button } from '../ui/button.tsx';
import { joinClassNames } from '../ui/classes.ts';
import { Link } from '../ui/link.tsx';
import { Badge, Skeleton } from '../ui/surfaces.tsx';
import { toast } from '../ui/toast.ts';
import { uncachedQueryOptions, useMayUseArea, useSessionEnd, useSessionEndOn } from './session.ts';

/**
 * The refetch interval. Live events report changes of orders, production, tickets and reviews. Other lines, such as a
 * late order or an overdue backup, appear without an event.
 */
const refetchMs = 5 * 60_000;
const sheetQuery = () => query('/api/admin/day-sheet');

interface Props {
  /** Whether the list is collapsed to one line at first. On a phone it always is. */
  isFolded: boolean;
  /** Shown at the end of the folded line. */
  children?: ReactNode;
}

/** The owner's to-do list. Each line links to the page for the task. */
export function OwnerTodoList({ isFolded, children }: Props) {
  const { data: sheet, error } = useQuery({ ...sheetQuery(), ...uncachedQueryOptions, refetchInterval: refetchMs });
  useSessionEndOn(error);
  const mayUseArea = useMayUseArea();
  const [isOpen, setIsOpen] = useState(false);
  const listId = useId();
  const lines = sheet?.lines.map(dayLineText);
  return (
    <section aria-label="Your to-do list" className="mt-3 sm:mt-6">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <h2
          className={joinClassNames(
            'font-sans text-base font-semibold tracking-normal max-sm:w-full',
            isFolded && 'sm:w-72',
          )}
        >
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={listId}
            onClick={() => setIsOpen(!isOpen)}
            className={joinClassNames(
              'flex min-h-11 w-full items-center gap-2 rounded-lg border border-hair bg-card px-3 text-left',
              !isFolded && 'sm:hidden',
            )}
          >
            {lines && <TaskCount lines={lines} />}
            Your to-do list
            <ChevronDown aria-hidden className={joinClassNames('ml-auto size-5 text-muted', isOpen && 'rotate-180')} />
          </button>
          {!isFolded && <span className="max-sm:hidden">Your to-do list</span>}
        </h2>
        {children}
        {sheet && mayUseArea('settings') && (isOpen || !isFolded) && (
          <DaySheetMailSwitch isMailed={sheet.isMailed} className={joinClassNames(!isOpen && 'max-sm:hidden')} />
        )}
      </div>
      <div id={listId} className={joinClassNames(!isOpen && (isFolded ? 'hidden' : 'max-sm:hidden'))}>
        {lines ? (
          <>
            <TaskList lines={lines} onFollow={() => setIsOpen(false)} />
            <div className="flex flex-wrap gap-x-6 text-[0.9375rem] text-muted">
              {sheet && sheet.newOrders > 0 && <p className="mt-2">{newOrdersText(sheet.newOrders)}</p>}
              {sheet?.lastBackupAt && <p className="mt-2">{lastBackupText(sheet.lastBackupAt)}</p>}
            </div>
          </>
        ) : error ? (
          <p className="text-muted">{errorText(error)}</p>
        ) : (
          <Skeleton className="mt-1 h-14 rounded-lg" />
        )}
      </div>
    </section>
  );
}

/** The number of lines, in the color of the most urgent one. */
const TaskCount = ({ lines }: { lines: DayLineText[] }) =>
  lines.length === 0 ? (
    <CircleCheck aria-label="Nothing" className="size-5 text-good" />
  ) : (
    <Badge tone={lines.some((it) => it.tone === 'bad') ? 'bad' : 'warn'}>{lines.length}</Badge>
  );

/** The lines of the list. `onFollow` collapses the list on a phone, so that the linked page is visible. */
function TaskList({ lines, onFollow }: { lines: DayLineText[]; onFollow: () => void }) {
  if (lines.length === 0)
    return (
      <p className="mt-1 flex items-center gap-2 text-muted">
        <CircleCheck aria-hidden className="size-5 text-good" />
        You’re all caught up.
      </p>
    );
  return (
    <ul
      className={joinClassNames(
        'mt-1 grid gap-2 sm:grid-cols-2',
        lines.length === 4 ? 'xl:grid-cols-4' : 'xl:grid-cols-3',
      )}
    >
      {lines.map((line) => (
        <li key={`${line.words} ${line.detail} ${line.path}`} className="grid">
          <TaskLine line={line} onFollow={onFollow} />
        </li>
      ))}
    </ul>
  );
}

const boxClasses = 'flex min-h-14 items-center gap-3 rounded-lg border border-hair bg-card px-4 py-2';

function TaskLine({ line: { words, detail, path, tone }, onFollow }: { line: DayLineText; onFollow: () => void }) {
  const content = (
    <>
      <span
        aria-hidden
        className={joinClassNames('size-2.5 shrink-0 rounded-full', tone === 'bad' ? 'bg-bad' : 'bg-warn')}
      />
      <span className="min-w-0 flex-1 leading-snug">
        <span className="font-semibold text-ink">{words}</span>
        {detail && <span className="block text-[0.9375rem] break-words text-muted">{detail}</span>}
      </span>
    </>
  );
  if (path === undefined) return <div className={boxClasses}>{content}</div>;
  return (
    <Link
      to={path}
      preload={false}
      onClick={onFollow}
      className={joinClassNames(boxClasses, 'no-underline transition-colors hover:border-edge')}
    >
      {content}
      <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
    </Link>
  );
}

function DaySheetMailSwitch({ isMailed, className }: { isMailed: boolean; className: string }) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const { mutate, isPending } = useMutation({
    mutationFn: () => send('PUT /api/admin/day-sheet', { body: { isMailed: !isMailed } }),
    onSuccess(sheet) {
      queryClient.setQueryData(sheetQuery().queryKey, sheet);
      toast({
        title: sheet.isMailed ? 'Emailed every morning' : 'No longer emailed',
        description: sheet.isMailed ? 'We’ll send the list to the shop’s contact email at 7 AM.' : undefined,
      });
    },
    onError(error) {
      toast({ title: 'Update Failed', description: errorText(error), destructive: true });
      handleSessionEnd(error);
    },
  });
  return (
    <Button look="quiet" size="small" className={className} busy={isPending} onClick={() => mutate()}>
      {isMailed ? <BellOff aria-hidden className="size-4.5" /> : <Bell aria-hidden className="size-4.5" />}
      {isMailed ? 'Stop the morning email' : 'Email me every morning'}
    </Button>
  );
}
