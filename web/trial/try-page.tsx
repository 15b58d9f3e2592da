import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, useCallback, useEffect, useRef, useState } from 'react';
import { lifetimes } from '#contract/limits.ts';
import type { TrialView } from '#contract/trials.ts';
import { errorText } from '../data/error-text.ts';
import { trialOfferQuery, trialQuery } from '../data/queries.ts';
import { paths } from '../paths.ts';
import { PageIntro } from '../storefront/section.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { LazyBoundary, MissingPart } from '../ui/lazy-boundary.tsx';
import { focusIfFocusLost } from '../ui/lost-focus.ts';
import { Notice, ProgressBar } from '../ui/surfaces.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import { DeleteTrial } from './delete-trial.tsx';
import { PhotoChooser } from './photo-chooser.tsx';
import { trialPollMs, isUnderWay } from './poll.ts';
import { TrialFrame } from './trial-frame.tsx';
import { computeTrialProgress, stageText } from './trial-text.ts';

// Load code when a visitor needs it: the upload code for a chosen photo, the form of a finished video for that video.
const loadSending = () => import('./send-photo.ts');
const loadFilmReady = () => import('./trial-video-ready.tsx');
const TrialVideoReady = lazy(() => loadFilmReady().then((it) => ({ default: it.TrialVideoReady })));

/** /try: one photo becomes a video, for free. The page is the same for everyone; the browser adds its own trial. */
export function TryPage() {
  const { data: offer } = useQuery(trialOfferQuery());
  const isOffered = offer?.isOffered !== false;
  return (
    <>
      <PageIntro
        title="Try it with your own photo"
        lede={
          isOffered
            ? 'Choose one photo and watch it come to life, in about half a minute. It’s free, with no account or email needed. You can try two photos a day.'
            : 'We aren’t offering this right now.'
        }
      />
      <section className="wrap pb-20 sm:pb-28">
        <Trial isOffered={isOffered} />
      </section>
    </>
  );
}

function TrialUnavailable() {
  return (
    <>
      <p className="max-w-2xl text-muted">You can still see what our videos look like in the gallery.</p>
      <LinkButton className="mt-6" to={paths.gallery}>
        View the gallery
      </LinkButton>
    </>
  );
}

const RetentionNote = () => (
  <p className="mt-4 max-w-3xl text-[0.9375rem] text-muted">
    We keep your photo and its video for {lifetimes.trialHours} hours, then we delete them. We don’t store what our
    software finds in the photo. Our own software makes the video, and our backups leave it out.
  </p>
);

interface SentPhoto {
  name: string;
  progress: number;
  previewUrl: string;
}

function Trial({ isOffered }: { isOffered: boolean }) {
  const { data } = useQuery({ ...trialQuery(), enabled: false });
  return (
    <>
      {/* Always in the page, because screen readers announce only changes of a status element. */}
      <p role="status" className="sr-only">
        {data?.trial?.state === 'ready' && 'Your video is ready'}
      </p>
      <TrialParts isOffered={isOffered} />
    </>
  );
}

/** If the shop does not offer trials, this shows the trial that the browser still has, and takes no other photo. */
function TrialParts({ isOffered }: { isOffered: boolean }) {
  const queryClient = useQueryClient();
  const isHydrated = useHydrated();
  const { queryKey } = trialQuery();
  /** The number of answers before this trial, because polling slows down with each answer. */
  const responsesBefore = useRef(0);
  const { data, error, refetch } = useQuery({
    ...trialQuery(),
    enabled: isHydrated,
    refetchInterval: ({ state }) => trialPollMs(state.data?.trial, state.dataUpdateCount - responsesBefore.current),
  });
  const [sent, setSent] = useState<SentPhoto>();
  const [problem, setProblem] = useState<{ title: string; words: string }>();
  const [isChoosing, setIsChoosing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const isFocusDue = useRef(false);
  const sendController = useRef<AbortController>(undefined);
  useEffect(() => () => sendController.current?.abort(), []);
  const trial = data?.trial ?? undefined;
  const hasEnded = useTrialEnded(trial, () => void refetch());

  // The button that was pressed disappears with its part of the page. Then the heading of the next part gets the focus.
  const currentStage = sent
    ? 'sending'
    : trial && !isChoosing
      ? isUnderWay(trial)
        ? 'working'
        : trial.state
      : 'choosing';
  const shownStage = useRef(currentStage);
  useEffect(() => {
    const isChanged = shownStage.current !== currentStage;
    shownStage.current = currentStage;
    isFocusDue.current = isChanged && !heading.current;
    if (isChanged) focusIfFocusLost(heading.current);
  }, [currentStage]);
  // The code of the part may still be loading. Then its heading gets the focus when it appears.
  const headingRef = useCallback((element: HTMLHeadingElement | null) => {
    heading.current = element;
    if (!element || !isFocusDue.current) return;
    isFocusDue.current = false;
    focusIfFocusLost(element);
  }, []);
  const isVideoComing = trial !== undefined && isUnderWay(trial);
  useEffect(() => {
    if (isVideoComing) void loadFilmReady().catch(() => {}); // if it fails, it loads again with the finished video
  }, [isVideoComing]);

  const onDeleted = async () => {
    // Otherwise the answer to an earlier poll could show the deleted trial again.
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, { trial: null });
    setIsChoosing(false);
  };
  const send = async (photo: File) => {
    setProblem(undefined);
    const abortController = new AbortController();
    sendController.current = abortController;
    let previewUrl: string | undefined;
    try {
      const { findTrialPhotoProblem, sendTrialPhoto } = await loadSending();
      if (abortController.signal.aborted) return;
      const photoProblem = findTrialPhotoProblem(photo);
      if (photoProblem) return setProblem(photoProblem);
      previewUrl = URL.createObjectURL(photo);
      setSent({ name: photo.name, progress: 0, previewUrl });
      const startResponse = await sendTrialPhoto(photo, {
        signal: abortController.signal,
        onProgress: (progress) => setSent((now) => now && { ...now, progress }),
      });
      if (!startResponse) return;
      responsesBefore.current = queryClient.getQueryState(queryKey)?.dataUpdateCount ?? 0;
      queryClient.setQueryData(queryKey, { trial: startResponse });
      setIsChoosing(false);
    } catch (failure) {
      if (abortController.signal.aborted) return;
      setProblem({ title: 'This didn’t work', words: errorText(failure) });
      // If only the response was lost, the photo is already in line.
      const { data: now } = await refetch();
      if (now?.trial && isUnderWay(now.trial)) setIsChoosing(false);
    } finally {
      if (previewUrl !== undefined) URL.revokeObjectURL(previewUrl);
      setSent(undefined);
    }
  };

  if (sent)
    return (
      <ProgressPanel
        title="Sending your photo"
        picture={sent.previewUrl}
        words={sent.progress < 1 ? 'Uploading' : 'Checking your photo'}
        part={sent.progress}
        headingRef={headingRef}
      />
    );
  if (trial && !isChoosing) {
    if (isUnderWay(trial))
      return (
        <>
          <ProgressPanel
            title="We’re making your video"
            picture={trial.photoUrl}
            words={stageText(trial)}
            part={computeTrialProgress(trial)}
            headingRef={headingRef}
          />
          <p className="mt-4 max-w-3xl text-muted">
            You can close this page. To see your video, come back later in this browser.
          </p>
          <div className="mt-3">
            <DeleteTrial onDeleted={() => void onDeleted()} />
          </div>
          {error && <UnreachableNotice onRetry={() => void refetch()} />}
          <RetentionNote />
        </>
      );
    if (trial.state === 'ready')
      return (
        <>
          <LazyBoundary instead={<MissingPart inPlace />}>
            <TrialVideoReady
              trial={trial}
              headingRef={headingRef}
              onAnother={isOffered ? () => setIsChoosing(true) : undefined}
              onDeleted={() => void onDeleted()}
            />
          </LazyBoundary>
          <RetentionNote />
        </>
      );
  }
  return (
    <>
      {hasEnded && !trial && (
        <Notice title="We deleted your video" className="mb-6">
          Your {lifetimes.trialHours} hours are up.{isOffered && ' You can try another photo.'}
        </Notice>
      )}
      {trial?.state === 'failed' && !isChoosing && (
        <>
          <Notice tone="bad" title="We couldn’t make a video of this photo" className="mb-3">
            Something went wrong on our end, so this try doesn’t count.
            {isOffered && ' Please try again, or choose another photo.'}
          </Notice>
          <div className="mb-6">
            <DeleteTrial onDeleted={() => void onDeleted()} />
          </div>
        </>
      )}
      {error && !data && <UnreachableNotice onRetry={() => void refetch()} />}
      {isOffered ? (
        <>
          <PhotoChooser
            title={trial ? 'Choose another photo' : 'Which photo should come to life?'}
            problem={problem}
            onOpen={() => void loadSending().catch(() => {})} // if it fails, it loads again with the photo
            onPhoto={(photo) => void send(photo)}
            headingRef={headingRef}
          />
          {trial?.state === 'ready' && (
            <p className="mt-4 flex flex-wrap items-center gap-x-3 text-muted">
              A new photo will replace your video.
              <button type="button" className="link min-h-11" onClick={() => setIsChoosing(false)}>
                Keep my video
              </button>
            </p>
          )}
          <RetentionNote />
        </>
      ) : (
        <TrialUnavailable />
      )}
    </>
  );
}

/** Whether a trial that this page has shown is over. Asks again when its time is over. */
function useTrialEnded(trial: TrialView | undefined, onEnd: () => void): boolean {
  const [hasEnded, setHasEnded] = useState(false);
  const endsAt = trial?.endsAt;
  useEffect(() => {
    if (endsAt === undefined) return;
    setHasEnded(false);
    const timer = setTimeout(
      () => {
        setHasEnded(true);
        onEnd();
      },
      Math.max(0, Date.parse(endsAt) - Date.now()) + 1000,
    );
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- once for each end
  }, [endsAt]);
  return hasEnded;
}

function ProgressPanel(props: {
  title: string;
  picture: string;
  words: string;
  part: number;
  headingRef: React.Ref<HTMLHeadingElement>;
}) {
  const { title, picture, words, part, headingRef } = props;
  return (
    <div className="grid items-center gap-8 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)] lg:gap-12">
      <TrialFrame>
        <img src={picture} alt="" className="size-full object-contain" />
      </TrialFrame>
      <div>
        <h2 ref={headingRef} tabIndex={-1} className="title-3 outline-none">
          {title}
        </h2>
        <p role="status" className="mt-3 font-semibold">
          {words}
        </p>
        <ProgressBar value={part} label={title} className="mt-3" />
      </div>
    </div>
  );
}

function UnreachableNotice({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice tone="warn" title="We couldn’t reach the shop" className="my-4">
      <p>Your video isn’t lost. Please check your connection.</p>
      <Button size="small" look="secondary" className="mt-3" onClick={onRetry}>
        Try again
      </Button>
    </Notice>
  );
}
