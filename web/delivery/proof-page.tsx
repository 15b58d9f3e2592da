import { useQueryClient } from '@tanstack/react-query';
import { Check, RotateCcw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { momentText } from '#contract/calendar.ts';
import { madeInsteadText } from '#contract/motion.ts';
import type { Proof } from '#contract/proof.ts';
import { countText } from '#contract/count-text.ts';
import { query, send } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { useLostFocus } from '../ui/lost-focus.ts';
import { Badge, EmptyState, Notice, ProgressBar } from '../ui/surfaces.tsx';
import { expectToasts, toast } from '../ui/toast.ts';
import { VideoLoop } from '../ui/video-loop.tsx';
import { videoName } from './video-name.ts';
import { VideoProvenance } from './video-provenance.tsx';
import { RedoRequestFields } from './redo-request-fields.tsx';

export const proofQuery = (token: string) => query('/api/proof/:token', { params: { token } });

type ProofVideo = Proof['videos'][number];

/** /proof/{token}: the customer watches each video before delivery and keeps it, or requests another motion. */
export function ProofPage({ proof, token }: { proof: Proof; token: string }) {
  const { firstName, frameName, videos, endsAt, isOver, redosLeft } = proof;
  const queryClient = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const [isKeepingAll, setIsKeepingAll] = useState(false);
  const [wished, setWished] = useState<ProofVideo>();
  useEffect(expectToasts, []);
  const showChangedProof = (next: Proof) => queryClient.setQueryData(proofQuery(token).queryKey, next);
  const refresh = () => void queryClient.refetchQueries({ queryKey: proofQuery(token).queryKey });
  const waitingVideos = videos.filter((it) => it.shown && !it.isKept);
  const keptCount = videos.filter((it) => it.isKept).length;

  const { target: statusArea, press } = useLostFocus<HTMLDivElement>(isOver ? 'over' : waitingVideos.length);

  const keepVideos = async (chosen: ProofVideo[]) => {
    setIsBusy(true);
    press();
    try {
      const keptTakes = chosen.map(({ id, take }) => ({ id, take }));
      showChangedProof(await send('POST /api/proof/:token/keep', { params: { token }, body: { videos: keptTakes } }));
    } catch (error) {
      toast({ title: 'Not kept', description: errorText(error), destructive: true });
      refresh(); // the videos have changed since this page loaded them
      throw error;
    } finally {
      setIsBusy(false);
    }
  };

  if (isOver)
    return (
      <section className="wrap py-16">
        <div ref={statusArea} tabIndex={-1}>
          <EmptyState icon={<Check aria-hidden className="size-7" />} title="All done">
            Thank you, {firstName || 'and enjoy'}. The videos for {frameName} are ready. The link to your private page
            is in the email we sent you.
          </EmptyState>
        </div>
      </section>
    );
  return (
    <section className="wrap py-10 sm:py-14">
      <p className="text-muted">{frameName}</p>
      <h1 className="title-2 mt-2 max-w-3xl">{firstName ? `${firstName}, do you like them?` : 'Do you like them?'}</h1>
      <p className="lede mt-4 max-w-2xl">
        Keep the videos you like. {redosLeft > 0 && 'If you’d like one to move differently, tell us why. '}
        Once you’ve decided on all of them, we’ll deliver them.
      </p>
      <div className="mt-6 grid max-w-3xl gap-4">
        {endsAt ? (
          <Notice title={`You have until ${momentText(endsAt)}`}>
            If we don’t hear from you by then, we’ll deliver the videos as they are. {redosLeftText(redosLeft)}
          </Notice>
        ) : (
          <Notice title="We’re making some videos again">
            We’ll email you as soon as you can watch them. {redosLeftText(redosLeft)}
          </Notice>
        )}
        <ProgressBar value={keptCount / videos.length} label="Videos you keep" />
        <div ref={statusArea} tabIndex={-1} className="flex flex-wrap items-center gap-4">
          <p aria-live="polite">
            {keptCount} of {countText(videos.length, 'video')} kept
          </p>
          {waitingVideos.length > 1 && (
            <Button size="small" busy={isBusy} onClick={() => setIsKeepingAll(true)}>
              <Check aria-hidden className="size-4.5" />
              Keep all {waitingVideos.length}
            </Button>
          )}
        </div>
      </div>
      <ul className="mt-8 grid gap-6 md:grid-cols-2">
        {videos.map((video, place) => (
          <li key={video.id}>
            <ProofVideoItem
              video={video}
              name={videoName(video, place)}
              heading={video.caption ?? `${place + 1} of ${videos.length}`}
              isBusy={isBusy}
              mayWish={redosLeft > 0}
              onKeep={() => void keepVideos([video]).catch(() => undefined)}
              onWish={() => setWished(video)}
            />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={isKeepingAll}
        onOpenChange={setIsKeepingAll}
        title={`Keep all ${waitingVideos.length} videos?`}
        description="We’ll deliver the videos you keep as they are."
        confirmLabel="Keep all"
        onConfirm={() => keepVideos(waitingVideos)}
      />
      {wished && (
        <Dialog
          open
          onOpenChange={() => setWished(undefined)}
          size="small"
          title={
            wished.caption === null
              ? 'A different motion for this video?'
              : `A different motion for “${wished.caption}”?`
          }
          description={`We will make it again, and you can review it again. ${redosLeftText(redosLeft)}`}
        >
          <RedoRequestFields
            style={wished.shown?.provenance?.style}
            hasOwnMotion={wished.shown?.hasOwnMotion ?? false}
            onCancel={() => setWished(undefined)}
            onWish={async (wish) => {
              const { id, take } = wished;
              try {
                const params = { token, id };
                showChangedProof(
                  await send('POST /api/proof/:token/videos/:id/again', { params, body: { ...wish, take } }),
                );
              } catch (error) {
                refresh();
                throw error;
              }
              setWished(undefined);
            }}
          />
        </Dialog>
      )}
    </section>
  );
}

const redosLeftText = (left: number) =>
  left === 0 ? 'You’ve used all the changes for this frame.' : `${countText(left, 'change')} left for this frame.`;

function ProofVideoItem(props: {
  video: ProofVideo;
  /** The video's name for screen readers. */
  name: string;
  heading: string;
  isBusy: boolean;
  mayWish: boolean;
  onKeep: () => void;
  onWish: () => void;
}) {
  const { video, name, isBusy, mayWish, onKeep, onWish } = props;
  const { shown, isKept } = video;
  const { target: heading, press } = useLostFocus<HTMLHeadingElement>(shown && !isKept);
  return (
    <article className="overflow-hidden rounded-xl border border-hair bg-card shadow-soft">
      {shown ? (
        <VideoLoop
          key={video.take}
          src={shown.videoUrl}
          poster={shown.posterUrl}
          label={name}
          className="aspect-[16/10] bg-night"
        />
      ) : (
        <div className="grid aspect-[16/10] place-items-center bg-linen text-muted">Making a new version</div>
      )}
      <div className="p-5">
        <div className="flex items-center justify-between gap-3">
          <h2 ref={heading} tabIndex={-1} className="title-3 min-w-0 truncate">
            {props.heading}
          </h2>
          {isKept && <Badge tone="good">Kept</Badge>}
        </div>
        {shown?.provenance && <VideoProvenance provenance={shown.provenance} className="text-muted" />}
        {shown?.requestedMotionNotMade && (
          <p className="mt-1 text-[0.9375rem] text-muted">{madeInsteadText(shown.requestedMotionNotMade)}</p>
        )}
        {shown && !isKept && (
          <div className="mt-4 flex flex-wrap gap-2">
            <Button
              busy={isBusy}
              aria-label={`Keep it: ${name}`}
              onClick={() => {
                press();
                onKeep();
              }}
            >
              <Check aria-hidden className="size-5" />
              Keep it
            </Button>
            <Button
              look="secondary"
              disabled={!mayWish}
              title={mayWish ? undefined : 'No changes left'}
              aria-label={`A different motion for ${name}`}
              onClick={() => {
                press();
                onWish();
              }}
            >
              <RotateCcw aria-hidden className="size-5" />
              Different motion
            </Button>
          </div>
        )}
      </div>
    </article>
  );
}
