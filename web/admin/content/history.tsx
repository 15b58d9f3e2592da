import { useQuery } from '@tanstack/react-query';
import { History as HistoryIcon } from 'lucide-react';
import { useId, useState } from 'react';
import { momentText } from '#contract/calendar.ts';
import type { VersionedContent } from '#contract/owner/content.ts';
import { type ApiResponseBody, ApiError, query } from '../../data/api.ts';
import { errorText, isRefusal } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Badge, Notice, Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { LoadErrorNotice } from '../not-loaded.tsx';
import { uncachedQueryOptions, useSessionEnd, useSessionEndOn } from '../session.ts';
import { compareVersions, fieldLabel, type SectionFields } from './compared-versions.ts';
import { contentTexts, type SavingTexts } from './saving-texts.ts';
import { DifferingTexts, FieldValue } from './differing-texts.tsx';

interface Props {
  section: VersionedContent;
  reading: SectionFields;
  texts?: SavingTexts;
  /** Whether the form has unsaved changes, which a restore would discard. */
  isUnsaved: boolean;
  /** Saves an older value, if `version` is still the current version. Resolves when the form shows the value. */
  restore: (value: unknown, version: string) => Promise<unknown>;
  /** Whether the button shows only its icon on a phone, because it is next to other buttons. */
  isTight?: boolean;
}

/** A button that opens the older versions of this section. */
export function History(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" size="small" onClick={() => setOpen(true)}>
        <HistoryIcon aria-hidden className="size-4.5" />
        <span className={props.isTight ? 'max-sm:sr-only' : undefined}>History</span>
      </Button>
      {open && <HistoryDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

type Version = ApiResponseBody<'GET /api/admin/content-history'>['versions'][number];

/** The last versions of a section. Each version can be viewed and restored. */
function HistoryDialog({
  section,
  reading,
  texts = contentTexts,
  isUnsaved,
  restore,
  onClose,
}: Props & { onClose: () => void }) {
  const historyQuery = query('/api/admin/content-history', { query: { section } });
  const { data, error, refetch } = useQuery({
    ...historyQuery,
    ...uncachedQueryOptions,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  useSessionEndOn(error);
  const handleSessionEnd = useSessionEnd();
  const [busyWith, setBusyWith] = useState<string>();
  const [toConfirm, setToConfirm] = useState<Version>();
  const [problem, setProblem] = useState<{ id: string; words: string }>();
  const restoreVersion = async ({ id, value }: Version) => {
    setBusyWith(id);
    setProblem(undefined);
    try {
      await restore(value, data!.version);
      toast({ title: 'Version restored', description: texts.effect });
      onClose();
    } catch (failure) {
      handleSessionEnd(failure);
      setProblem({ id, words: refusalText(reading, failure) });
      if (isRefusal(failure, 'content-changed')) await refetch();
    } finally {
      setBusyWith(undefined);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && busyWith === undefined && onClose()}
      size="wide"
      title="History"
      description="Earlier versions of this section, newest first. Restoring a version saves it again. The current version stays in this list."
    >
      <div className="mt-6">
        {error && !data && <LoadErrorNotice title="We couldn’t load the history" error={error} onRetry={refetch} />}
        {!error && !data && <Skeleton className="h-64 rounded-lg" />}
        {data?.versions.length === 0 && <p className="text-muted">Nothing has been saved here yet. {texts.unsaved}</p>}
        {data && data.versions.length > 0 && (
          <ol aria-label="Versions" className="divide-y divide-hair border-y border-hair">
            {data.versions.map((version) => (
              <Row
                key={version.id}
                version={version}
                now={data.now}
                reading={reading}
                texts={texts}
                busyWith={busyWith}
                problem={problem?.id === version.id ? problem.words : undefined}
                onRestore={() => (isUnsaved ? setToConfirm(version) : void restoreVersion(version))}
              />
            ))}
          </ol>
        )}
      </div>
      <ConfirmDialog
        open={toConfirm !== undefined}
        onOpenChange={(open) => !open && setToConfirm(undefined)}
        title="Restore without saving first?"
        description="Your changes here aren’t saved yet. If you restore this version, you’ll lose them."
        confirmLabel="Discard and restore"
        cancelLabel="Keep editing"
        busyLabel="Restoring..."
        destructive
        onConfirm={() => restoreVersion(toConfirm!)}
      />
    </Dialog>
  );
}

interface RowProps {
  version: Version;
  now: unknown;
  reading: SectionFields;
  texts: SavingTexts;
  busyWith: string | undefined;
  problem: string | undefined;
  onRestore: () => void;
}

function Row({ version, now, reading, texts, busyWith, problem, onRestore }: RowProps) {
  const { id, at, value, isNow, gone } = version;
  const [isExpanded, setIsExpanded] = useState(false);
  const regionId = useId();
  const isReadable = value !== null;
  const comparedVersion = isReadable ? compareVersions(reading, value, now) : undefined;
  const savedAtText = at ? momentText(at) : 'Before the first save';
  const summary = !comparedVersion
    ? 'An older release of the shop saved this version, and we can’t read it anymore.'
    : isNow
      ? 'Same as now'
      : `Compared with now: ${comparedVersion.summary || 'nothing visible'}`;
  return (
    <li className="py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
            {savedAtText}
            {isNow && <Badge tone="good">{texts.current}</Badge>}
          </p>
          <p id={`${regionId}-summary`} className="mt-0.5 text-muted">
            {summary}
          </p>
        </div>
        <div className="flex gap-2 max-sm:-ml-4">
          <Button
            look="quiet"
            size="small"
            disabled={!isReadable}
            aria-expanded={isExpanded}
            aria-controls={`${regionId}-words`}
            onClick={() => setIsExpanded(!isExpanded)}
          >
            {isExpanded ? 'Hide' : 'Show'}
            <span className="sr-only">: {savedAtText}</span>
          </Button>
          <Button
            look="secondary"
            size="small"
            disabled={!isReadable || isNow || busyWith !== undefined}
            aria-describedby={`${regionId}-summary`}
            busy={busyWith === id}
            busyLabel="Restoring..."
            onClick={onRestore}
          >
            Restore
            <span className="sr-only">: {savedAtText}</span>
          </Button>
        </div>
      </div>
      {gone.length > 0 && !isNow && (
        <Notice className="mt-3" title={gone.length === 1 ? 'One file is missing' : `${gone.length} files are missing`}>
          This version uses pictures or videos that we don’t have anymore. Visitors won’t see them until you upload them
          again: <span className="break-all">{gone.join(', ')}</span>
        </Notice>
      )}
      {problem && (
        <Notice tone="bad" className="mt-3" title="Nothing was restored">
          {problem}
        </Notice>
      )}
      <div id={`${regionId}-words`} hidden={!isExpanded}>
        {isExpanded && comparedVersion && <VersionTexts {...comparedVersion} />}
      </div>
    </li>
  );
}

function VersionTexts({ found, same }: Pick<ReturnType<typeof compareVersions>, 'found' | 'same'>) {
  return (
    <div className="mt-4 space-y-5">
      {found.length > 0 && <DifferingTexts found={found} mine="In this version" theirs="Now" />}
      {same.length > 0 && (
        <section aria-label="Same as now">
          {found.length > 0 && <p className="mb-2 text-sm font-semibold text-muted">Same as now</p>}
          <dl className="space-y-3 rounded-lg bg-linen p-3">
            {same.map(({ label, words, isMedia }) => (
              <div key={label}>
                <dt className="text-sm text-muted first-letter:uppercase">{label}</dt>
                <dd className={isMedia && 'mt-1'}>
                  <FieldValue words={words} media={isMedia && label} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
}

/** The error text when a version was not restored. */
function refusalText(reading: SectionFields, error: unknown): string {
  if (isRefusal(error, 'content-changed'))
    return 'Someone else saved this section after you opened its history. The list now shows their version. Please check it, and restore again if you still want to.';
  const [path] = error instanceof ApiError ? Object.keys(error.fields) : [];
  const message = errorText(error, 'Please try again.');
  if (path === undefined) return message;
  const fieldName = fieldLabel(reading, path);
  return `This version doesn’t work with the current shop. ${fieldName && `${fieldName}: `}${message}`;
}
