import { useQuery } from '@tanstack/react-query';
import { CircleCheck, LifeBuoy } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Customer } from '#contract/accounts.ts';
import type { FrameLimits, FramePhotoLimits } from '#contract/frames.ts';
import { paths } from '../../paths.ts';
import { LeaveWarning } from '../../sending/leave-warning.tsx';
import { canRetry, computeOverallProgress, type Uploads } from '../../sending/use-upload-queue.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { Card, ProgressBar, Skeleton } from '../../ui/surfaces.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { BuyPhotos } from '../buy-photos/buy-photos.tsx';
import { type AddonReturn, useAddonReturn } from '../buy-photos/use-addon-return.ts';
import { chooseFrame, readRememberedFrame, rememberFrame } from '../chosen-frame.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery } from '../limits-query.ts';
import { LoadProblem } from '../load-problem.tsx';
import { ConnectionCard } from '../connect/connection-card.tsx';
import { AccountMenu } from './account-menu.tsx';
import { CollectLinkSection } from './collect/collect.tsx';
import { FinishBar } from './finish-bar.tsx';
import { createFrameLabels } from '../frame-labels.ts';
import { MovePackage } from './move-package.tsx';
import { NoPurchases } from './no-purchases.tsx';
import { OrderComplete } from './order-complete.tsx';
import { PhotoGrid } from './photo-grid.tsx';
import { previewPollMs } from './preview-progress.ts';
import { CreditsNotice } from './replace-photo.tsx';
import { BorderQuestion } from './border-question.tsx';
import { StillQuestion } from './still-question.tsx';
import { WaterQuestion } from './water-question.tsx';
import { TrialPhotoQuestion } from './trial-photo-question.tsx';
import { Uploader } from './uploader.tsx';
import { useUploads } from './use-uploads.ts';

interface Props {
  customer: Customer;
  /** The id of the requested frame, from the address. */
  frameId: string | undefined;
  onFrame: (frameId: string) => void;
  addonReturn: AddonReturn;
  /** Called after the add-on's params in the address are handled. */
  onAddonSeen: () => void;
  supportEmail: string;
}

/** /upload: the photos of the customer's frames, until they are finalized. */
export function UploadPage({ customer, frameId, onFrame, addonReturn, onAddonSeen, supportEmail }: Props) {
  useAddonReturn(addonReturn, onAddonSeen);
  const {
    data: limits,
    error,
    refetch,
  } = useQuery({
    ...limitsQuery(),
    refetchInterval: ({ state }) => previewPollMs(state.data, state.dataUpdateCount),
  });
  const handleSessionEnd = useSessionEnd();
  useEffect(() => {
    if (error) handleSessionEnd(error);
    // oxlint-disable-next-line react/exhaustive-deps -- once per failure
  }, [error]);
  if (error && !limits)
    return <LoadProblem title="We couldn’t load your photos" error={error} onRetry={() => void refetch()} />;
  if (!limits) return <UploadSkeleton />;
  return (
    <section className="wrap pt-8 sm:pt-12">
      <div className="flex items-start justify-between gap-4">
        <h1 className="title-2">Your photos</h1>
        <AccountMenu customer={customer} />
      </div>
      {limits.frames.length === 0 ? (
        <NoPurchases customer={customer} />
      ) : (
        <Frames
          customerId={customer.id}
          limits={limits}
          frameId={frameId}
          onFrame={onFrame}
          supportEmail={supportEmail}
        />
      )}
    </section>
  );
}

type FramesProps = Pick<Props, 'frameId' | 'onFrame' | 'supportEmail'> & {
  customerId: string;
  limits: FramePhotoLimits;
};
function Frames({ customerId, limits, frameId, onFrame, supportEmail }: FramesProps) {
  const uploads = useUploads(customerId);
  // The frame that this tab stored last is read in an effect after hydration. The first render must match the server's
  // HTML.
  const frame = chooseFrame(limits.frames, frameId)!;
  useEffect(() => {
    const lastFrameId = readRememberedFrame();
    if (frameId === undefined && lastFrameId !== null && limits.frames.some((it) => it.deviceId === lastFrameId))
      onFrame(lastFrameId);
    // oxlint-disable-next-line react/exhaustive-deps -- once, on mount
  }, []);
  const labels = createFrameLabels(limits.frames);
  const isSending = uploads.list.some((it) => it.state.kind === 'sending');
  return (
    <>
      <TrialPhotoQuestion frames={limits.frames} frameId={frame.deviceId} />
      {limits.frames.length === 1 ? (
        <FrameWorkspace frame={frame} limits={limits} uploads={uploads} supportEmail={supportEmail} />
      ) : (
        <div className="mt-6">
          <Tabs
            label="Your frames"
            value={frame.deviceId}
            onChange={(id) => {
              rememberFrame(id);
              onFrame(id);
            }}
            tabs={limits.frames.map((it) => ({
              value: it.deviceId,
              label: <FrameTab frame={it} label={labels.get(it.deviceId)!} />,
              content: <FrameWorkspace frame={it} limits={limits} uploads={uploads} supportEmail={supportEmail} />,
            }))}
          />
        </div>
      )}
      <LeaveWarning isSending={isSending} />
    </>
  );
}

function FrameTab({ frame, label }: { frame: FrameLimits; label: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      {label}
      {frame.uploadFinalized ? (
        <CircleCheck aria-label="Finished" className="size-4.5 text-good" />
      ) : (
        <span className="text-sm font-medium">
          {frame.usedPhotos}/{frame.totalLimit}
        </span>
      )}
    </span>
  );
}

interface WorkspaceProps {
  frame: FrameLimits;
  limits: FramePhotoLimits;
  uploads: Uploads;
  supportEmail: string;
}

function FrameWorkspace({ frame, limits, uploads, supportEmail }: WorkspaceProps) {
  const fileInputRef = useRef<HTMLInputElement>(null);
  const ownUploads = uploads.list.filter((it) => it.frameId === frame.deviceId);
  const sendingUploads = ownUploads.filter((it) => it.state.kind === 'sending');
  const failedCount = ownUploads.filter(canRetry).length;
  const hasPhotos = frame.uploads.length + ownUploads.length > 0;
  const creditCount = frame.isCanceled ? 0 : limits.reuploadCredits;
  const photosSection = (
    <section key="photos" aria-label={`Photos for ${frame.deviceName}`} className="space-y-4">
      <h2 tabIndex={-1} className="sr-only">
        Photos for {frame.deviceName}
      </h2>
      <PhotoGrid frame={frame} uploads={uploads} credits={creditCount} hasPreviews={limits.hasPreviews} />
    </section>
  );
  // The uploader and the photos change places after the first photo. Their keys keep the uploader's state and messages.
  const uploader = !frame.uploadFinalized && (
    <Uploader key="uploader" frame={frame} uploads={uploads} chooserRef={fileInputRef} />
  );
  return (
    <>
      <div className="mt-6 grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-10">
        <div className="space-y-6">
          <PhotoStatus frame={frame} />
          {(frame.uploadFinalized || frame.uploads.some((it) => it.isLocked)) && <OrderComplete frame={frame} />}
          <CreditsNotice credits={frame.uploads.some((it) => it.video) ? creditCount : 0} />
          {!frame.uploadFinalized && <StillQuestion key={frame.deviceId} frame={frame} />}
          {!frame.uploadFinalized && <BorderQuestion key={`border-${frame.deviceId}`} photos={frame.uploads} />}
          {!frame.uploadFinalized && <WaterQuestion key={`water-${frame.deviceId}`} photos={frame.uploads} />}
          {hasPhotos ? [photosSection, uploader] : [uploader, photosSection]}
          <CollectLinkSection frame={frame} />
        </div>
        <aside aria-label="About this frame" className="space-y-6">
          {!frame.uploadFinalized && <ConnectionCard frame={frame} />}
          {!frame.isCanceled && <BuyPhotos frame={frame} />}
          <MovePackage frame={frame} frames={limits.frames} />
          <Help limits={limits} supportEmail={supportEmail} />
        </aside>
      </div>
      {frame.uploadFinalized ? (
        <div className="h-12" />
      ) : (
        <FinishBar
          frame={frame}
          globalUsedPhotos={limits.globalUsedPhotos}
          sending={sendingUploads.length}
          progress={computeOverallProgress(sendingUploads)}
          failed={failedCount}
          unusable={ownUploads.length - sendingUploads.length - failedCount}
          onAddPhotos={() => fileInputRef.current?.click()}
          onFinished={() => uploads.leaveOutUploadsOf(frame.deviceId)}
        />
      )}
    </>
  );
}

function PhotoStatus({ frame }: { frame: FrameLimits }) {
  const percent = frame.totalLimit === 0 ? 0 : Math.round((frame.usedPhotos / frame.totalLimit) * 100);
  return (
    <div>
      <div className="flex items-baseline justify-between gap-4">
        <p className="font-semibold">
          {frame.deviceName}
          <span className="font-normal text-muted"> · Order {frame.orderNumber}</span>
        </p>
        <p className="font-semibold tabular-nums">{percent}%</p>
      </div>
      <ProgressBar value={percent / 100} label={`Photos used on ${frame.deviceName}`} className="mt-2" />
      <p className="mt-2 text-muted">
        {frame.usedPhotos} of {frame.totalLimit} photos used
        {!frame.uploadFinalized && ` · room for ${frame.remainingPhotos} more`}
        {frame.extraPhotos > 0 && ` · ${frame.extraPhotos} from extra packages`}
      </p>
    </div>
  );
}

function Help({ limits, supportEmail }: { limits: FramePhotoLimits; supportEmail: string }) {
  return (
    <Card>
      <h2 className="title-3 flex items-center gap-3">
        <LifeBuoy aria-hidden className="size-6 shrink-0 text-accent" />
        Need a hand?
      </h2>
      <p className="mt-2 text-muted">
        Write to{' '}
        <Link to={`mailto:${supportEmail}`} className="link break-words">
          {supportEmail}
        </Link>
        , or tell us what’s wrong on the support page.
      </p>
      <LinkButton look="secondary" wide to={paths.support} className="mt-4">
        Contact support
      </LinkButton>
      <p className="mt-4 text-center text-[0.9375rem]">
        <Link to={paths.yourPhotos} className="link inline-flex min-h-11 items-center">
          How we keep your photos private
        </Link>
      </p>
      {limits.totalFrames > 1 && (
        <p className="mt-5 border-t border-hair pt-4 text-[0.9375rem] text-muted">
          All {limits.totalFrames} frames together: {limits.globalUsedPhotos} of {limits.globalTotalLimit} photos used.
        </p>
      )}
    </Card>
  );
}

export function UploadSkeleton() {
  return (
    <section aria-busy className="wrap pt-8 sm:pt-12">
      <h1 className="title-2">Your photos</h1>
      <div className="mt-6 grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-10">
        <div className="space-y-6">
          <Skeleton className="h-20" />
          <Skeleton className="h-72 rounded-xl" />
          <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 xl:grid-cols-4">
            {[0, 1, 2, 3].map((it) => (
              <Skeleton key={it} className="aspect-square rounded-lg" />
            ))}
          </div>
        </div>
        <Skeleton className="h-96 rounded-xl" />
      </div>
    </section>
  );
}
