import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Mail, Pause, Play, Send, Trash2, UsersRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { CollectLinkForm, InvitationForm } from '#contract/collect-forms.ts';
import type { CollectLinkView, CollectState } from '#contract/collect.ts';
import { dayAfter, dayOf, dayWords } from '#contract/calendar.ts';
import type { FrameLimits, UploadView } from '#contract/frames.ts';
import { limits } from '#contract/limits.ts';
import { query, send } from '../../../data/api.ts';
import { errorWords, isRefusal } from '../../../data/error-words.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { Form, FormButtons, FormProblem, SubmitButton, TextField, useShopForm } from '../../../ui/form.tsx';
import { LastingImage } from '../../../ui/lasting-image.tsx';
import { LinkToTake, ShareSheet } from '../../../ui/link-to-take.tsx';
import { Badge, Card } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toast.ts';
import { useSessionEnd } from '../../customer.ts';
import { limitsQuery } from '../../limits-query.ts';
import { counted } from '#contract/count-words.ts';

const collectQuery = (deviceId: string) => query('/api/devices/:id/collect-link', { params: { id: deviceId } });
const stateWords: Record<CollectState, { label: string; tone: 'good' | 'warn' | 'neutral' }> = {
  open: { label: 'Open', tone: 'good' },
  full: { label: 'Full', tone: 'warn' },
  paused: { label: 'Paused', tone: 'warn' },
  ended: { label: 'Ended', tone: 'neutral' },
  finalized: { label: 'Finalized', tone: 'neutral' },
};
/** A link ends with a midnight: its last day is the one before. */
const lastDayOf = (endsAt: string) => dayWords(Date.parse(endsAt) - 60_000);

/** A call to the family for photos of this frame, and what came of it. */
export function Collect({ frame }: { frame: FrameLimits }) {
  const queryClient = useQueryClient();
  const noteEnd = useSessionEnd();
  const { data, error, refetch } = useQuery({
    ...collectQuery(frame.deviceId),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  const [dialog, setDialog] = useState<'make' | 'end' | { url: string }>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (error) noteEnd(error);
    // oxlint-disable-next-line react/exhaustive-deps -- once per failure
  }, [error]);
  // Somebody may have added one meanwhile; the frame hears of it first.
  useEffect(() => {
    void refetch();
  }, [refetch, frame.usedPhotos]);
  const refresh = async () => {
    await Promise.all(
      [collectQuery(frame.deviceId), limitsQuery()].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
    );
  };
  /** Do something about the link or its photos, say so, and show how it stands. */
  const act = async (title: string, call: () => Promise<{ message?: string }>) => {
    setBusy(true);
    try {
      const { message } = await call();
      toast({ title, description: message });
    } catch (problem) {
      toast({ title: 'That did not work', description: errorWords(problem), destructive: true });
      noteEnd(problem);
      throw problem;
    } finally {
      setBusy(false);
      await refresh();
    }
  };
  const tried = (title: string, call: () => Promise<{ message?: string }>) => void act(title, call).catch(() => {});
  const params = { id: frame.deviceId };
  const another = async () => {
    setBusy(true);
    try {
      setDialog(await send('POST /api/devices/:id/collect-link/address', { params }));
    } catch (problem) {
      toast({ title: 'Failed to Generate Link', description: errorWords(problem), destructive: true });
      void refresh();
    }
    setBusy(false);
  };
  if (!data || (frame.uploadFinalized && data.contributions.length === 0)) return null;
  const { link } = data;
  const isLiving = link !== null && link.state !== 'ended' && link.state !== 'finalized';
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h2 className="title-3 flex items-center gap-3">
          <UsersRound aria-hidden className="size-6 shrink-0 text-accent" />
          Let your family help
        </h2>
        {isLiving && <Badge tone={stateWords[link.state].tone}>{stateWords[link.state].label}</Badge>}
      </div>
      {isLiving ? (
        <>
          <p className="mt-2 text-muted">
            <strong className="font-semibold break-words text-ink">{link.name}</strong>, open until{' '}
            {lastDayOf(link.endsAt)}. Whoever has the link can add photos; you see who brought what, and choose.
          </p>
          <div className="mt-4 grid gap-3 sm:flex sm:flex-wrap">
            <Button disabled={busy} onClick={() => void another()}>
              <Send aria-hidden className="size-5" />
              Send the link
            </Button>
            <Button
              look="secondary"
              disabled={busy}
              onClick={() =>
                tried(link.state === 'paused' ? 'Open again' : 'Paused', () =>
                  send('PUT /api/devices/:id/collect-link', { params, body: { isPaused: link.state !== 'paused' } }),
                )
              }
            >
              {link.state === 'paused' ? (
                <Play aria-hidden className="size-5" />
              ) : (
                <Pause aria-hidden className="size-5" />
              )}
              {link.state === 'paused' ? 'Go on' : 'Pause'}
            </Button>
            <Button look="quiet" disabled={busy} onClick={() => setDialog('end')}>
              End it
            </Button>
          </div>
        </>
      ) : (
        !frame.uploadFinalized && (
          <>
            <p className="mt-2 text-muted">
              Send a link, and aunts, cousins and friends add photos from their phones, without an account. You see who
              brought what, and decide what goes into {frame.deviceName}.
            </p>
            <Button look="secondary" className="mt-4 max-sm:w-full" onClick={() => setDialog('make')}>
              Make a collect link
            </Button>
          </>
        )
      )}
      <Contributions
        frame={frame}
        contributions={data.contributions}
        busy={busy}
        onAccept={(ids) =>
          tried(ids.length === 1 ? 'Photo accepted' : 'Photos accepted', () =>
            send('POST /api/devices/:id/accept-photos', { params, body: { ids } }),
          )
        }
        onRemove={(photo) =>
          act('Photo deleted', () =>
            send('DELETE /api/uploads/:id', { params: { id: photo.id } }).catch((problem: unknown) => {
              if (!isRefusal(problem, 'not-found')) throw problem; // taken back meanwhile
              return {};
            }),
          )
        }
      />
      {dialog === 'make' && (
        <MakeDialog
          frame={frame}
          latestDay={data.latestDay}
          onClose={() => setDialog(undefined)}
          onMade={(made) => {
            setDialog(made);
            void refresh();
          }}
        />
      )}
      {typeof dialog === 'object' && (
        <SendDialog frame={frame} name={link?.name ?? ''} url={dialog.url} onClose={() => setDialog(undefined)} />
      )}
      <ConfirmDialog
        open={dialog === 'end'}
        onOpenChange={(open) => !open && setDialog(undefined)}
        title="End this link?"
        description="Nobody can add photos by it any more. What it brought stays here for you to accept or remove."
        confirmWords="End it"
        busyWords="Ending..."
        destructive
        onConfirm={() => act('Link ended', () => send('DELETE /api/devices/:id/collect-link', { params }))}
      />
    </Card>
  );
}

interface ContributionsProps {
  frame: FrameLimits;
  contributions: CollectLinkView['contributions'];
  busy: boolean;
  onAccept: (ids: string[]) => void;
  onRemove: (photo: UploadView) => Promise<void>;
}

/** Who brought what. What waits has to be decided before the frame is finalized. */
function Contributions({ frame, contributions, busy, onAccept, onRemove }: ContributionsProps) {
  const [toRemove, setToRemove] = useState<UploadView>();
  const waiting = contributions.flatMap(({ photos }) => photos.filter((it) => it.isWaiting));
  if (contributions.length === 0) return null;
  return (
    <div className="mt-6 border-t border-hair pt-5">
      {waiting.length > 0 && !frame.uploadFinalized && (
        <div className="mb-5 flex flex-wrap items-center justify-between gap-3 rounded-lg bg-accent-soft p-4">
          <p className="font-medium" role="status">
            {counted(waiting.length, 'photo')} from your family {waiting.length === 1 ? 'waits' : 'wait'} for your yes.
          </p>
          {waiting.length > 1 && (
            <Button size="small" disabled={busy} onClick={() => onAccept(waiting.map((it) => it.id))}>
              Accept all {waiting.length}
            </Button>
          )}
        </div>
      )}
      <ul className="space-y-6">
        {contributions.map(({ id, firstName, photos }) => (
          <li key={id}>
            <h3 className="font-sans text-base font-semibold tracking-normal">
              {firstName} <span className="font-normal text-muted">brought {counted(photos.length, 'photo')}</span>
            </h3>
            <ul className="mt-3 grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-4">
              {photos.map((photo) => (
                <li key={photo.id} className="overflow-hidden rounded-lg border border-hair bg-linen">
                  <LastingImage
                    src={photo.thumbnailUrl}
                    width={photo.width}
                    height={photo.height}
                    alt={`${photo.originalFileName}, from ${firstName}`}
                    loading="lazy"
                    decoding="async"
                    className="aspect-square w-full object-cover"
                  />
                  {photo.isWaiting && !photo.isLocked && !frame.uploadFinalized ? (
                    <div className="flex">
                      <button
                        type="button"
                        disabled={busy}
                        aria-label={`Accept ${photo.originalFileName} from ${firstName}`}
                        onClick={() => onAccept([photo.id])}
                        className="flex min-h-11 flex-1 items-center justify-center gap-1.5 text-[0.9375rem] font-semibold text-good hover:bg-good-soft"
                      >
                        <Check aria-hidden className="size-4.5" />
                        Accept
                      </button>
                      <button
                        type="button"
                        disabled={busy}
                        aria-label={`Remove ${photo.originalFileName} from ${firstName}`}
                        onClick={() => setToRemove(photo)}
                        className="grid min-h-11 w-12 place-items-center border-l border-hair text-bad hover:bg-bad-soft"
                      >
                        <Trash2 aria-hidden className="size-4.5" />
                      </button>
                    </div>
                  ) : (
                    <p className="flex min-h-11 items-center justify-center text-[0.9375rem] text-muted">
                      In {frame.deviceName}
                    </p>
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={toRemove !== undefined}
        onOpenChange={(open) => !open && setToRemove(undefined)}
        title="Remove this photo?"
        description={`Are you sure you want to delete "${toRemove?.originalFileName}"? This action cannot be undone.`}
        confirmWords="Delete"
        busyWords="Deleting..."
        destructive
        onConfirm={() => (toRemove ? onRemove(toRemove) : undefined)}
      />
    </div>
  );
}

interface MakeProps {
  frame: FrameLimits;
  latestDay: string;
  onClose: () => void;
  onMade: (made: { url: string }) => void;
}
function MakeDialog({ frame, latestDay, onClose, onMade }: MakeProps) {
  const [inTwoWeeks] = useState(() => dayAfter(dayOf(Date.now()), 14));
  const form = useShopForm(CollectLinkForm, {
    defaultValues: { name: '', lastDay: inTwoWeeks },
    onSubmit: async (body) =>
      onMade(await send('POST /api/devices/:id/collect-link', { params: { id: frame.deviceId }, body })),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="small"
      title="Collect photos"
      description={`There is room for ${counted(frame.remainingPhotos, 'more photo', 'more photos')} in ${frame.deviceName}. Photos that others add take places too, until you remove them.`}
    >
      <Form form={form} label="Collect link" className="mt-5 space-y-5">
        <TextField
          form={form}
          name="name"
          label="What are the photos for?"
          hint="Your family reads this: Grandma’s eightieth, for example."
          maxLength={limits.collectNameCharacters}
        />
        <TextField
          form={form}
          name="lastDay"
          type="date"
          label="Last day"
          hint={`At the latest ${dayWords(latestDay)}. You can end it at any time.`}
        />
        <FormProblem form={form} />
        <FormButtons form={form} words="Make the link" busyWords="Making..." onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function SendDialog(props: { frame: FrameLimits; name: string; url: string; onClose: () => void }) {
  const { frame, name, url, onClose } = props;
  const form = useShopForm(InvitationForm, {
    defaultValues: { email: '' },
    onSubmit: async (body) => {
      const { message } = await send('POST /api/devices/:id/collect-link/invitations', {
        params: { id: frame.deviceId },
        body,
      });
      toast({ title: 'Invitation sent', description: message });
      form.reset();
    },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="small"
      title="Send it to your family"
      description="Whoever has this link can add photos. They see only their own."
    >
      <ShareSheet url={url} title={name || 'Add your photos'} />
      <LinkToTake url={url} what="the collect link" />
      <Form form={form} label="Send by mail" className="mt-6 space-y-4 border-t border-hair pt-5">
        <TextField form={form} name="email" type="email" label="Or we mail it to" autoComplete="off" />
        <FormProblem form={form} />
        <SubmitButton form={form} look="secondary" wide busyWords="Sending...">
          <Mail aria-hidden className="size-5" />
          Send invitation
        </SubmitButton>
      </Form>
    </Dialog>
  );
}
