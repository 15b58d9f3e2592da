import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FileImage } from 'lucide-react';
import { useEffect, useState } from 'react';
import { momentText } from '#contract/calendar.ts';
import type { UploadView } from '#contract/frames.ts';
import { limits } from '#contract/limits.ts';
import { refusals } from '#contract/refusals.ts';
import type { UploadLinkView } from '#contract/upload-links.ts';
import { rememberOpenedByLink } from '../account/opened-by-link.ts';
import { useGoTo } from '../account/customer.ts';
import { LoadProblem } from '../account/load-problem.tsx';
import { countText } from '#contract/count-text.ts';
import { send } from '../data/api.ts';
import { errorText, isRefusal } from '../data/error-text.ts';
import { GuestGrid, type GuestPhoto, type PhotoBadge } from '../guest-photos/guest-grid.tsx';
import { PhotoPicker } from '../guest-photos/photo-picker.tsx';
import { PhotosHeading } from '../guest-photos/photos-heading.tsx';
import { paths } from '../paths.ts';
import { LeaveWarning } from '../sending/leave-warning.tsx';
import { failureText, useUploadQueue } from '../sending/use-upload-queue.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState, Notice, Skeleton } from '../ui/surfaces.tsx';
import { expectToasts, toast } from '../ui/toast.ts';
import { UploadLinkClosed } from './upload-link-closed.tsx';
import { linkPhotosQuery, uploadLinkQuery } from './link-queries.ts';
import { DoneButtons } from '../account/upload/done-buttons.tsx';

/**
 * /customer-upload: a customer adds photos by an upload link, without signing in. The link's token was exchanged for a
 * cookie before.
 */
export function CustomerUploadPage() {
  useEffect(expectToasts, []);
  useEffect(rememberOpenedByLink, []);
  const link = useQuery(uploadLinkQuery());
  const photos = useQuery({ ...linkPhotosQuery(link.data?.customerId ?? ''), enabled: link.data !== undefined });
  const error = link.error ?? photos.error;
  if (isRefusal(error, 'link-missing')) return <UploadLinkClosed why="missing" />;
  if (isRefusal(error, 'link-expired')) return <UploadLinkClosed why="denied" />;
  if (error && !(link.data && photos.data))
    return (
      <LoadProblem
        title="We couldn’t load your photos"
        error={error}
        onRetry={() => void link.refetch().then(() => photos.refetch())}
      />
    );
  if (!link.data || !photos.data) return <CustomerUploadSkeleton />;
  return <Photos link={link.data} photos={photos.data} />;
}

function Photos({ link, photos }: { link: UploadLinkView; photos: UploadView[] }) {
  const queryClient = useQueryClient();
  const photosKey = linkPhotosQuery(link.customerId).queryKey;
  const refetchPhotos = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: uploadLinkQuery().queryKey }),
      queryClient.invalidateQueries({ queryKey: photosKey }),
    ]);
  const uploadQueue = useUploadQueue<UploadView>({
    sender: { id: `link-${link.customerId}`, isGuest: true },
    endpoint: '/api/customer-upload/arrivals',
    mayStillGo: () => !link.isClosed,
    onArrived: (photo) =>
      queryClient.setQueryData(photosKey, (now) => now && [...now.filter((it) => it.id !== photo.id), photo]),
    onEnd: (failed) => {
      const message = failureText(failed);
      if (message !== undefined) toast({ title: 'Upload Failed', description: message, destructive: true });
      void refetchPhotos();
    },
  });
  const deletePhoto = async ({ id, originalFileName }: { id: string; originalFileName: string }) => {
    try {
      await send('DELETE /api/customer-upload/:id', { params: { id }, query: {} }).catch(ignoreRefusal('not-found'));
    } catch (error) {
      toast({ title: 'Delete Failed', description: errorText(error), destructive: true });
      void refetchPhotos();
      throw error;
    }
    queryClient.setQueryData(photosKey, (now) => now?.filter((it) => it.id !== id));
    toast({ title: 'Photo deleted', description: originalFileName });
    void refetchPhotos();
  };
  const sendingUploads = uploadQueue.list.filter((it) => it.state.kind === 'sending');
  const firstName = link.customerName.split(' ')[0];
  return (
    <section className="wrap max-w-5xl pt-8 sm:pt-12">
      <p className="text-muted">{link.isClosed ? link.customerName : `Welcome, ${link.customerName}`}</p>
      <h1 className="title-2 mt-1">{link.isClosed ? 'Your photos are in good hands' : 'Add your photos'}</h1>
      {link.isClosed ? (
        <ClosedNotice />
      ) : (
        <div className="mt-6">
          {link.remainingPhotos > 0 ? (
            <PhotoPicker
              title={
                firstName ? `${firstName}, which photos should come to life?` : 'Which photos should come to life?'
              }
              room={link.remainingPhotos - sendingUploads.length}
              here={() => ({ photos, onTheirWay: uploadQueue.filesTo() })}
              onFiles={(files) => uploadQueue.add(files)}
            >
              JPG or PNG, up to {limits.photoMegabytes}MB each. You can choose several at once.
            </PhotoPicker>
          ) : (
            <Notice title="Your frame is full">
              Delete a photo to make room, or tap I’m Done and we’ll get started.
            </Notice>
          )}
          <p className="mt-3 text-[0.9375rem] text-muted">
            This private link works until {momentText(link.expiresAt)}. Anyone with the link can see and change these
            photos.
          </p>
        </div>
      )}
      <div className="mt-8">
        <PhotosHeading title="Your collection" count={photos.length} onTheirWay={sendingUploads} />
      </div>
      <div className="mt-4">
        {photos.length + uploadQueue.list.length === 0 ? (
          <div className="rounded-xl bg-linen/60">
            <EmptyState icon={<FileImage aria-hidden className="size-7" />} title="No photos yet">
              Your photos will show up here. You can delete them until you tap I’m Done.
            </EmptyState>
          </div>
        ) : (
          <GuestGrid
            photos={photos}
            sending={uploadQueue}
            onDelete={link.isClosed ? undefined : deletePhoto}
            badgeOf={choosePhotoBadge}
          />
        )}
      </div>
      {link.isClosed ? (
        <div className="h-16" />
      ) : (
        <FinishLink link={link} isSending={sendingUploads.length > 0} onRefresh={() => void refetchPhotos()} />
      )}
      <LeaveWarning isSending={sendingUploads.length > 0} />
    </section>
  );
}

function choosePhotoBadge({ isWaiting, isLocked }: GuestPhoto): PhotoBadge | undefined {
  if (isWaiting) return { tone: 'warn', words: 'From the family' };
  return isLocked ? { tone: 'good', words: 'Finalized' } : undefined;
}

const ClosedNotice = () => (
  <Notice tone="good" title="Finalized" className="mt-6">
    We’re turning your photos into short videos. This takes 24-72 hours. You can view your photos, but you can’t change
    them anymore. If something needs to change, please{' '}
    <a className="link" href={paths.support}>
      contact support
    </a>
    .
  </Notice>
);

interface FinishProps {
  link: UploadLinkView;
  isSending: boolean;
  onRefresh: () => void;
}

/** A bar with the button to finish adding photos. It stays visible at the bottom of the window. */
function FinishLink({ link, isSending, onRefresh }: FinishProps) {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const goTo = useGoTo();
  const { usedPhotos, remainingPhotos } = link;
  const openDialog = () => {
    if (usedPhotos > 0) setIsDialogOpen(true);
    else toast({ title: 'No Photos Yet', description: refusals['no-photos-yet'].words, destructive: true });
  };
  const finalizePhotos = async () => {
    setBusy(true);
    try {
      await send('POST /api/customer-upload/finalize', { query: {} }).catch(ignoreRefusal('link-closed'));
      // Keep the button busy until the next page is open. A second tap would finalize again.
      goTo(paths.uploadComplete('finalized'));
    } catch (error) {
      toast({ title: 'Finalization Failed', description: errorText(error), destructive: true });
      setBusy(false);
    }
    onRefresh();
  };
  return (
    <div
      data-bottom-bar
      className="sticky bottom-0 z-30 mt-8 border-t border-hair bg-card shadow-lifted max-sm:-mx-5 max-sm:px-5 sm:rounded-t-xl sm:border-x"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 sm:px-6 sm:py-4">
        <p className="min-w-0 flex-1 basis-56 leading-snug">
          <span className="font-semibold">{countText(usedPhotos, 'photo')} to finalize</span>
          <span className="block text-[0.9375rem] text-muted">
            {remainingPhotos > 0 ? `You have room for ${remainingPhotos} more` : 'Your frame is full'}
          </span>
        </p>
        <div className="flex w-full gap-2 sm:w-auto">
          <LinkButton look="secondary" to={paths.uploadComplete('comeback')} className="flex-1 px-4 sm:flex-none">
            Come back later
          </LinkButton>
          <Button onClick={openDialog} disabled={isSending} className="flex-1 px-4 sm:flex-none sm:px-8">
            I'm Done
          </Button>
        </div>
      </div>
      <Dialog
        open={isDialogOpen}
        onOpenChange={(next) => !busy && setIsDialogOpen(next)}
        title="Are you done adding photos?"
        description={`Once you’re done, the ${countText(usedPhotos, 'photo')} can’t be changed anymore, and we’ll start making your videos. If something needs to change after that, please contact support.`}
      >
        {remainingPhotos > 0 && (
          <p className="mt-4 rounded-lg bg-warn-soft p-4 font-medium text-warn">
            You still have room for {countText(remainingPhotos, 'more photo', 'more photos')}. Once you’re done, you
            can’t add any more to this frame. To add more later, tap “No, I’ll Come Back Later”.
          </p>
        )}
        <DoneButtons busy={busy} onDone={() => void finalizePhotos()} />
      </Dialog>
    </div>
  );
}

/**
 * Returns an error handler that ignores the refusal with this code. The refusal means that the action is already done:
 * on another device, or by an earlier request whose response was lost.
 */
const ignoreRefusal = (code: string) => (error: unknown) => {
  if (!isRefusal(error, code)) throw error;
};

export function CustomerUploadSkeleton() {
  return (
    <section aria-busy className="wrap max-w-5xl pt-8 sm:pt-12">
      <h1 className="title-2">Add your photos</h1>
      <Skeleton className="mt-6 h-64 rounded-xl" />
      <div className="mt-8 grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 lg:grid-cols-4">
        {[0, 1, 2, 3].map((it) => (
          <Skeleton key={it} className="aspect-square rounded-lg" />
        ))}
      </div>
    </section>
  );
}
