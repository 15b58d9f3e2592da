import { useQueryClient } from '@tanstack/react-query';
import { Heart, ImagePlus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ContributorForm } from '#contract/collect-forms.ts';
import type { ContributorView, CollectState } from '#contract/collect.ts';
import { limits } from '#contract/limits.ts';
import { countText } from '#contract/count-text.ts';
import { send, buildUrl } from '../data/api.ts';
import { errorText, isRefusal } from '../data/error-text.ts';
import { lastDayText } from '../delivery/last-day.ts';
import { GuestGrid } from '../guest-photos/guest-grid.tsx';
import { PhotoPicker } from '../guest-photos/photo-picker.tsx';
import { PhotosHeading } from '../guest-photos/photos-heading.tsx';
import { LeaveWarning } from '../sending/leave-warning.tsx';
import { failureText, useUploadQueue } from '../sending/use-upload-queue.ts';
import { Form, FormProblem, SubmitButton, TextField, useShopForm } from '../ui/form.tsx';
import { EmptyState } from '../ui/surfaces.tsx';
import { expectToasts, toast } from '../ui/toast.ts';
import { collectQuery } from './collect-query.ts';

interface Props {
  collecting: ContributorView;
  /** The token of the collect link, from the page's address. */
  token: string;
}

/** /collect/{token}: a contributor adds photos under a first name. The page shows only this contributor's photos. */
export function CollectPage({ collecting, token }: Props) {
  useEffect(expectToasts, []);
  const { state, name, customerFirstName, endsAt, firstName, photos } = collecting;
  const customerName = customerFirstName || 'Your family';
  const acceptsPhotos = state === 'open' || state === 'full';
  return (
    <section className="wrap max-w-3xl pt-8 pb-16 sm:pt-14">
      <p className="text-muted">{customerName} would love your photos for</p>
      <h1 className="title-2 mt-1 break-words">{name}</h1>
      <p className="lede mt-4">
        {state === 'open' && !firstName
          ? `${customerName}’s picture frame shows photos that come to life. Add yours from this phone. It’s free, and you don’t need an account.`
          : stateText(state, customerName, endsAt)}
      </p>
      {acceptsPhotos && !firstName && <NameForm token={token} who={customerName} />}
      {firstName && <OwnPhotos collecting={collecting} token={token} firstName={firstName} />}
      {!firstName && !acceptsPhotos && photos.length === 0 && <div className="h-10" />}
    </section>
  );
}

function stateText(state: CollectState, customerName: string, endsAt: string): string {
  const textsByState: Record<CollectState, string> = {
    open: `Add your favorites until ${lastDayText(endsAt)}. You only see your own photos. ${customerName} sees all of them.`,
    full: `The frame is full right now. If ${customerName} makes room, you can add more.`,
    paused: `${customerName} is looking through the photos so far. Please try again a little later.`,
    ended: `This link has ended. Thank you to everyone who added photos.`,
    finalized: `The photos have been chosen, and we’re bringing them to life now. Thank you for yours!`,
  };
  return textsByState[state];
}

function NameForm({ token, who: customerName }: { token: string; who: string }) {
  const queryClient = useQueryClient();
  const form = useShopForm(ContributorForm, {
    onSubmit: async (body) => {
      await send('POST /api/collect/:token/contributors', { params: { token }, body });
      await queryClient.refetchQueries({ queryKey: collectQuery(token).queryKey });
    },
  });
  return (
    <Form
      form={form}
      label="Your name"
      className="mt-8 space-y-5 rounded-xl border border-hair bg-card p-6 shadow-soft"
    >
      <TextField
        form={form}
        name="firstName"
        label="Your first name"
        hint={`So ${customerName} knows who to thank.`}
        autoComplete="given-name"
        maxLength={limits.firstNameCharacters}
      />
      <FormProblem form={form} />
      <SubmitButton form={form} size="large" wide busyLabel="One moment...">
        Add photos
      </SubmitButton>
      <p className="text-[0.9375rem] text-muted">
        A cookie remembers your name on this device until the link ends, so you can find your photos again.
      </p>
    </Form>
  );
}

function OwnPhotos({ collecting, token, firstName }: Props & { firstName: string }) {
  const queryClient = useQueryClient();
  const { queryKey } = collectQuery(token);
  const { state, remainingPhotos, photos, customerFirstName } = collecting;
  const customerName = customerFirstName || 'your family';
  const [isThanked, setIsThanked] = useState(false);
  const refresh = () => void queryClient.invalidateQueries({ queryKey });
  const uploadQueue = useUploadQueue<ContributorView['photos'][number]>({
    sender: { id: `collect-${token}`, isGuest: true },
    endpoint: buildUrl('/api/collect/:token/arrivals', { params: { token } }),
    mayStillGo: () => state !== 'ended' && state !== 'finalized',
    onArrived: (photo) => {
      setIsThanked(true);
      queryClient.setQueryData(
        queryKey,
        (now) => now && { ...now, photos: [...now.photos.filter((it) => it.id !== photo.id), photo] },
      );
    },
    onEnd: (failed) => {
      const message = failureText(failed);
      if (message !== undefined) toast({ title: 'Upload Failed', description: message, destructive: true });
      refresh();
    },
  });
  const deletePhoto = async ({ id, originalFileName }: { id: string; originalFileName: string }) => {
    try {
      await send('DELETE /api/collect/:token/photos/:id', { params: { token, id } }).catch((error: unknown) => {
        if (!isRefusal(error, 'not-found')) throw error; // the photo is already deleted
      });
    } catch (error) {
      toast({ title: 'Delete Failed', description: errorText(error), destructive: true });
      refresh();
      throw error;
    }
    queryClient.setQueryData(queryKey, (now) => now && { ...now, photos: now.photos.filter((it) => it.id !== id) });
    toast({ title: 'Photo removed', description: originalFileName });
    refresh();
  };
  const saveCaption = async ({ id }: { id: string }, words: string) => {
    try {
      const body = { caption: words };
      const saveResponse = await send('PUT /api/collect/:token/photos/:id', { params: { token, id }, body });
      queryClient.setQueryData(
        queryKey,
        (now) => now && { ...now, photos: now.photos.map((it) => (it.id === id ? saveResponse : it)) },
      );
    } catch (error) {
      refresh(); // the photo may have been accepted in the meantime
      throw error;
    }
  };
  const sendingUploads = uploadQueue.list.filter((it) => it.state.kind === 'sending');
  const hasAnyPhotos = photos.length + uploadQueue.list.length > 0;
  return (
    <>
      {state === 'open' && (
        <div className="mt-8">
          <PhotoPicker
            title={hasAnyPhotos ? 'Do you have more?' : `${firstName}, which ones?`}
            room={remainingPhotos - sendingUploads.length}
            here={() => ({ photos, onTheirWay: uploadQueue.filesTo() })}
            onFiles={(files) => uploadQueue.add(files)}
          >
            {countText(remainingPhotos, 'place')} left · up to {limits.photoMegabytes} MB each
          </PhotoPicker>
        </div>
      )}
      <div className="mt-10">
        <PhotosHeading title="Your photos" count={photos.length} onTheirWay={sendingUploads} />
      </div>
      {isThanked && sendingUploads.length === 0 && photos.length > 0 && (
        <p className="mt-3 flex items-center gap-3 rounded-lg bg-good-soft p-4 font-medium text-good">
          <Heart aria-hidden className="size-5 shrink-0" />
          Thank you, {firstName}! {customerName} can see {photos.length === 1 ? 'it' : 'them'} now and will choose. You
          can close this page.
        </p>
      )}
      {state !== 'finalized' && photos.some((it) => it.isWaiting && !it.isLocked) && (
        <p className="mt-3 text-[0.9375rem] text-muted">Tap a photo to add a title.</p>
      )}
      <div className="mt-4">
        {hasAnyPhotos ? (
          <GuestGrid
            photos={photos}
            sending={uploadQueue}
            onDelete={state === 'finalized' ? undefined : deletePhoto}
            onCaption={state === 'finalized' ? undefined : saveCaption}
            badgeOf={({ isWaiting }) => (isWaiting ? undefined : { tone: 'good', words: 'In the frame' })}
          />
        ) : (
          <div className="rounded-xl bg-linen/60">
            <EmptyState icon={<ImagePlus aria-hidden className="size-7" />} title="You haven’t added any photos yet">
              Your photos will show up here, and only {customerName} sees them. You can remove them until we make the
              videos.
            </EmptyState>
          </div>
        )}
      </div>
      <LeaveWarning isSending={sendingUploads.length > 0} />
    </>
  );
}
