import { Play } from 'lucide-react';
import { lazy, type ReactNode, useState } from 'react';
import type { Content } from '#contract/content.ts';
import { joinClassNames } from '../../ui/classes.ts';
import { LazyBoundary, MissingPart } from '../../ui/lazy-boundary.tsx';
import { VideoWithoutScript } from '../../ui/video-without-script.tsx';
import { useReducedMotion } from '../../ui/media-queries.ts';
import { Picture } from '../../ui/picture.tsx';
import { playMuted } from '../../ui/use-loop.tsx';
import { Skeleton } from '../../ui/surfaces.tsx';
import { findPosterUrl } from './poster.ts';

export type GalleryItem = Content<'gallery'>[number];

const loadModal = () => import('./gallery-modal.tsx');
const GalleryModal = lazy(loadModal);

/** The gallery's photos. A photo plays its video while the pointer is on it, and a click opens it in the viewer. */
export function GalleryGrid(props: {
  items: GalleryItem[];
  teaser?: boolean;
  /** An additional last cell of the grid. */
  children?: ReactNode;
}) {
  const { items, teaser = false, children } = props;
  const [openId, setOpenId] = useState<GalleryItem['id']>();
  const openIndex = items.findIndex((it) => it.id === openId);
  const openItem = items[openIndex];
  return (
    <>
      <ul
        className={joinClassNames(
          'grid gap-x-4 gap-y-8 sm:grid-cols-2 sm:gap-x-6 sm:gap-y-10 lg:grid-cols-3',
          teaser && 'grid-cols-2',
        )}
      >
        {items.map((item, index) => (
          // The browser skips layout and loading of items far below the visible part of the page. The padding leaves
          // room for the focus ring.
          <li
            key={item.id}
            className={joinClassNames(
              !teaser && index > 2 && '-m-2 p-2 [contain-intrinsic-block-size:auto_20rem] [content-visibility:auto]',
            )}
          >
            <Tile item={item} teaser={teaser} first={!teaser && index === 0} onOpen={() => setOpenId(item.id)} />
          </li>
        ))}
        {children}
      </ul>
      {openItem && (
        <LazyBoundary
          waiting={<LoadingViewer item={openItem} onClose={() => setOpenId(undefined)} />}
          instead={<MissingPart />}
        >
          <GalleryModal
            item={openItem}
            place={openIndex + 1}
            count={items.length}
            onStep={(by) => setOpenId(items.at((openIndex + by) % items.length)!.id)}
            onClose={() => setOpenId(undefined)}
          />
        </LazyBoundary>
      )}
    </>
  );
}

/** A placeholder for the viewer while its code loads on a slow connection. A tap closes it. */
const LoadingViewer = ({ item, onClose }: { item: GalleryItem; onClose: () => void }) => (
  <div className="fixed inset-0 z-50 grid grid-cols-[minmax(0,1fr)] place-items-center overflow-y-auto bg-night/70 p-4 sm:p-8">
    <button type="button" aria-label={`Close ${item.title}`} onClick={onClose} className="fixed inset-0" />
    <div role="status" className="relative w-full max-w-5xl rounded-xl bg-card p-6 shadow-lifted sm:p-8">
      <p className="title-3 pr-12 wrap-anywhere">{item.title}</p>
      <p className="mt-2 text-muted">{item.caption}</p>
      <div aria-hidden className="mt-6 mb-17 grid gap-5 md:grid-cols-2">
        <figure>
          <Picture
            src={item.beforeImage}
            alt=""
            sizes="(min-width: 48rem) 30rem, 92vw"
            className="aspect-8/5 w-full rounded-lg"
          />
          <figcaption className="mt-2.5 font-semibold">Before</figcaption>
        </figure>
        <figure>
          <Skeleton className="aspect-8/5 rounded-lg" />
          <figcaption className="mt-2.5 font-semibold">After</figcaption>
        </figure>
      </div>
    </div>
  </div>
);

const playAtOnce = (video: HTMLVideoElement | null) => {
  if (video) playMuted(video, () => undefined); // if the browser refuses to play, the still picture stays
};

/** One photo of the grid. A teaser is smaller on a phone, and its heading is an h3, because it is in a section (h2). */
function Tile(props: { item: GalleryItem; teaser: boolean; first: boolean; onOpen: () => void }) {
  const { item, teaser, first, onOpen } = props;
  const Heading = teaser ? 'h3' : 'h2';
  const [isInteractive, setIsInteractive] = useState(false);
  const [isMoving, setIsMoving] = useState(false);
  const isMotionReduced = useReducedMotion();
  const startInteraction = () => {
    loadModal().catch(() => {}); // a failure is shown when the visitor opens the viewer
    if (!isMotionReduced && item.afterVideo) setIsInteractive(true);
  };
  const stopInteraction = () => {
    setIsInteractive(false);
    setIsMoving(false);
  };
  return (
    <article>
      <div className="relative rounded-lg">
        <button
          type="button"
          onClick={onOpen}
          onPointerEnter={startInteraction}
          onPointerLeave={stopInteraction}
          onFocus={startInteraction}
          onBlur={stopInteraction}
          aria-haspopup="dialog"
          aria-label={`See it move: ${item.title}`}
          className="answers-by-script group relative block aspect-8/5 w-full overflow-hidden rounded-lg bg-clay focus-visible:rounded-lg"
        >
          <Picture
            src={item.beforeImage}
            alt=""
            sizes={`(min-width: 64rem) 25rem, (min-width: 40rem) 46vw, ${teaser ? '45vw' : '87vw'}`}
            priority={first}
            className="size-full"
          />
          {isInteractive && (
            <video
              // Start the video by code. Browsers start an `autoplay` video only when it is visible, but this video is
              // hidden until it plays.
              ref={playAtOnce}
              src={item.afterVideo}
              muted
              loop
              playsInline
              aria-hidden
              onPlaying={() => setIsMoving(true)}
              className={joinClassNames(
                'absolute inset-0 size-full object-cover transition-[clip-path] duration-1000 ease-calm',
                isMoving ? '[clip-path:inset(0_0_0_0)]' : '[clip-path:inset(0_0_0_100%)]',
              )}
            />
          )}
          <span
            className={joinClassNames(
              'absolute grid place-items-center rounded-full bg-paper/95 text-ink transition-colors group-hover:bg-accent group-hover:text-white',
              teaser ? 'right-2 bottom-2 size-8 sm:right-3 sm:bottom-3 sm:size-11' : 'right-3 bottom-3 size-11',
            )}
          >
            <Play
              aria-hidden
              className={joinClassNames('ml-0.5 fill-current', teaser ? 'size-3.5 sm:size-4.5' : 'size-4.5')}
            />
          </span>
        </button>
        {item.afterVideo && (
          <VideoWithoutScript
            src={item.afterVideo}
            poster={findPosterUrl(item)}
            label={`${item.title}, animated`}
            className="rounded-lg"
          />
        )}
      </div>
      <Heading
        className={joinClassNames(
          'mt-4 font-serif font-medium',
          teaser ? 'text-lg leading-snug sm:text-xl' : 'text-xl',
        )}
      >
        {item.title}
      </Heading>
      <p className={joinClassNames('mt-1 text-muted', teaser && 'hidden sm:block')}>{item.caption}</p>
    </article>
  );
}
