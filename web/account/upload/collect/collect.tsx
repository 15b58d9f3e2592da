import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Mail, Pause, Play, Send, UsersRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { CollectLinkForm, InvitationForm } from '#contract/collect-forms.ts';
import type { CollectState } from '#contract/collect.ts';
import { dayAfter, toShopDay, dayText } from '#contract/calendar.ts';
import type { FrameLimits } from '#contract/frames.ts';
import { limits } from '#contract/limits.ts';
import { query, send } from '../../../data/api.ts';
import { errorText, isRefusal } from '../../../data/error-text.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { Form, FormButtons, FormProblem, SubmitButton, TextField, useShopForm } from '../../../ui/form.tsx';
import { CopyableLink, ShareSheet } from '../../../ui/copyable-link.tsx';
import { Badge, Card } from '../../../ui/surfaces.tsx';
import { toast } from '../../../ui/toast.ts';
import { useSessionEnd } from '../../customer.ts';
import { limitsQuery } from '../../limits-query.ts';
import { countText } from '#contract/count-text.ts';
import { Contributions } from './contributions.tsx';

const collectQuery = (deviceId: string) => query('/api/devices/:id/collect-link', { params: { id: deviceId } });
const stateLabels: Record<CollectState, { label: string; tone: 'good' | 'warn' | 'neutral' }> = {
  open: { label: 'Open', tone: 'good' },
  full: { label: 'Full', tone: 'warn' },
  paused: { label: 'Paused', tone: 'warn' },
  ended: { label: 'Ended', tone: 'neutral' },
  finalized: { label: 'Finalized', tone: 'neutral' },
};
/** A link ends at midnight, so its last day is the day before. */
const lastDayOf = (endsAt: string) => dayText(Date.parse(endsAt) - 60_000);

/** The frame's collect link for family photos, and the photos that came through it. */
export function CollectLinkSection({ frame }: { frame: FrameLimits }) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const { data, error, refetch } = useQuery({
    ...collectQuery(frame.deviceId),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  const [dialog, setDialog] = useState<'make' | 'end' | { url: string }>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (error) handleSessionEnd(error);
    // oxlint-disable-next-line react/exhaustive-deps -- once per failure
  }, [error]);
  // Load the link's photos again when the frame's photo count changes: a contributor may have added a photo.
  useEffect(() => {
    void refetch();
  }, [refetch, frame.usedPhotos]);
  const refetchLinkAndLimits = async () => {
    await Promise.all(
      [collectQuery(frame.deviceId), limitsQuery()].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
    );
  };
  /**
   * Only one action runs at a time. Meanwhile the buttons are marked as disabled for screen readers, but not with
   * `disabled`, because a disabled button loses the focus.
   */
  const busyProps = { 'aria-disabled': busy || undefined };
  /** Runs an action on the link or its photos and shows the result. */
  const runAction = async (title: string, call: () => Promise<{ message?: string }>) => {
    if (busy) return;
    setBusy(true);
    try {
      const { message } = await call();
      toast({ title, description: message });
    } catch (problem) {
      toast({ title: 'That didn’t work', description: errorText(problem), destructive: true });
      handleSessionEnd(problem);
      throw problem;
    } finally {
      setBusy(false);
      await refetchLinkAndLimits();
    }
  };
  const runWithToast = (title: string, call: () => Promise<{ message?: string }>) =>
    void runAction(title, call).catch(() => {});
  const params = { id: frame.deviceId };
  const createAnotherAddress = async () => {
    if (busy) return;
    setBusy(true);
    try {
      setDialog(await send('POST /api/devices/:id/collect-link/address', { params }));
    } catch (problem) {
      toast({ title: 'Failed to Generate Link', description: errorText(problem), destructive: true });
      void refetchLinkAndLimits();
    }
    setBusy(false);
  };
  if (!data || (frame.uploadFinalized && data.contributions.length === 0)) return null;
  const { link } = data;
  const close = () => setDialog(undefined);
  const heading =
    typeof dialog === 'object'
      ? {
          title: 'Send it to your family',
          description: 'Anyone with this link can add photos. They only see their own photos.',
        }
      : {
          title: 'Let your family add photos',
          description: `You have room for ${countText(frame.remainingPhotos, 'more photo', 'more photos')} on ${frame.deviceName}. Photos that others add also take up room until you remove them.`,
        };
  const isLinkActive = link !== null && link.state !== 'ended' && link.state !== 'finalized';
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h2 tabIndex={-1} className="title-3 flex items-center gap-3">
          <UsersRound aria-hidden className="size-6 shrink-0 text-accent" />
          Let your family help
        </h2>
        {isLinkActive && <Badge tone={stateLabels[link.state].tone}>{stateLabels[link.state].label}</Badge>}
      </div>
      {isLinkActive ? (
        <>
          <p className="mt-2 text-muted">
            <strong className="font-semibold break-words text-ink">{link.name}</strong>, open until{' '}
            {lastDayOf(link.endsAt)}. Anyone with the link can add photos. You see who added what, and you choose.
          </p>
          <div className="mt-4 grid gap-3 sm:flex sm:flex-wrap">
            <Button {...busyProps} onClick={() => void createAnotherAddress()}>
              <Send aria-hidden className="size-5" />
              Send the link
            </Button>
            <Button
              look="secondary"
              {...busyProps}
              onClick={() =>
                runWithToast(link.state === 'paused' ? 'Open again' : 'Paused', () =>
                  send('PUT /api/devices/:id/collect-link', { params, body: { isPaused: link.state !== 'paused' } }),
                )
              }
            >
              {link.state === 'paused' ? (
                <Play aria-hidden className="size-5" />
              ) : (
                <Pause aria-hidden className="size-5" />
              )}
              {link.state === 'paused' ? 'Resume' : 'Pause'}
            </Button>
            <Button look="quiet" {...busyProps} onClick={() => !busy && setDialog('end')}>
              End it
            </Button>
          </div>
        </>
      ) : (
        !frame.uploadFinalized && (
          <>
            <p className="mt-2 text-muted">
              Send a link, and aunts, cousins and friends can add photos from their phones, no account needed. You see
              who added what, and you decide what goes on {frame.deviceName}.
            </p>
            <Button look="secondary" className="mt-4 max-sm:w-full" onClick={() => setDialog('make')}>
              Make a link to share
            </Button>
          </>
        )
      )}
      <Contributions
        frame={frame}
        contributions={data.contributions}
        busy={busy}
        onAccept={(ids) =>
          runWithToast(ids.length === 1 ? 'Photo accepted' : 'Photos accepted', () =>
            send('POST /api/devices/:id/accept-photos', { params, body: { ids } }),
          )
        }
        onRemove={(photo) =>
          runAction('Photo deleted', () =>
            send('DELETE /api/uploads/:id', { params: { id: photo.id } }).catch((problem: unknown) => {
              if (!isRefusal(problem, 'not-found')) throw problem; // the photo is already deleted
              return {};
            }),
          )
        }
      />
      {/* Both steps use the same dialog, so that it returns the focus to the button that opened it. */}
      <Dialog open={dialog !== undefined && dialog !== 'end'} onOpenChange={close} size="small" {...heading}>
        {dialog === 'make' && (
          <MakeForm
            frame={frame}
            latestDay={data.latestDay}
            onClose={close}
            onMade={(made) => {
              setDialog(made);
              void refetchLinkAndLimits();
            }}
          />
        )}
        {typeof dialog === 'object' && <SendForm frame={frame} name={link?.name ?? ''} url={dialog.url} />}
      </Dialog>
      <ConfirmDialog
        open={dialog === 'end'}
        onOpenChange={close}
        title="End this link?"
        description="No one can add photos through the link anymore. Photos already added stay here for you to accept or remove."
        confirmLabel="End it"
        busyLabel="Ending..."
        destructive
        onConfirm={() => runAction('Link ended', () => send('DELETE /api/devices/:id/collect-link', { params }))}
      />
    </Card>
  );
}

interface MakeProps {
  frame: FrameLimits;
  latestDay: string;
  onClose: () => void;
  onMade: (made: { url: string }) => void;
}
function MakeForm({ frame, latestDay, onClose, onMade }: MakeProps) {
  const [inTwoWeeks] = useState(() => dayAfter(toShopDay(Date.now()), 14));
  const form = useShopForm(CollectLinkForm, {
    defaultValues: { name: '', lastDay: inTwoWeeks },
    onSubmit: async (body) =>
      onMade(await send('POST /api/devices/:id/collect-link', { params: { id: frame.deviceId }, body })),
  });
  return (
    <Form form={form} label="Link for adding photos" className="mt-5 space-y-5">
      <TextField
        form={form}
        name="name"
        label="What are the photos for?"
        hint="Your family sees this. For example: Grandma’s 80th birthday."
        maxLength={limits.collectNameCharacters}
      />
      <TextField
        form={form}
        name="lastDay"
        type="date"
        label="Last day"
        hint={`${dayText(latestDay)} at the latest. You can end it at any time.`}
      />
      <FormProblem form={form} />
      <FormButtons form={form} words="Make the link" busyLabel="Making..." onCancel={onClose} />
    </Form>
  );
}

function SendForm({ frame, name, url }: { frame: FrameLimits; name: string; url: string }) {
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
    <>
      <ShareSheet url={url} title={name || 'Add your photos'} />
      <CopyableLink url={url} what="the link for adding photos" />
      <Form form={form} label="Send by email" className="mt-6 space-y-4 border-t border-hair pt-5">
        <TextField form={form} name="email" type="email" label="Or we can email it to" autoComplete="off" />
        <FormProblem form={form} />
        <SubmitButton form={form} look="secondary" wide busyLabel="Sending...">
          <Mail aria-hidden className="size-5" />
          Send invitation
        </SubmitButton>
      </Form>
    </>
  );
}
