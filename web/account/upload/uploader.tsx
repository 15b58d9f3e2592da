import { ImagePlus, X } from 'lucide-react';
import { useHydrated } from '@tanstack/react-router';
import { type DragEvent, type Ref, useEffect, useRef, useState } from 'react';
import type { FrameLimits } from '#contract/frames.ts';
import { limits } from '#contract/limits.ts';
import { refusals } from '#contract/refusals.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Notice } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { acceptedFiles, checkFiles, type Problem } from './file-checks.ts';
import type { Uploads } from './use-uploads.ts';

interface Props {
  frame: FrameLimits;
  uploads: Uploads;
  /** Opens the file chooser; the bar at the bottom of the page does too. */
  chooserRef: Ref<HTMLInputElement>;
}

/** Where photos are dropped or chosen. Sending starts at once. */
export function Uploader({ frame, uploads, chooserRef }: Props) {
  const hydrated = useHydrated();
  const button = useRef<HTMLButtonElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [problems, setProblems] = useState<Problem[]>([]);
  const onTheirWay = uploads.list.filter((it) => it.frameId === frame.deviceId && it.state.kind === 'sending').length;
  const room = frame.remainingPhotos - onTheirWay;

  const take = (files: readonly File[]) => {
    if (files.length === 0) return;
    const checked = checkFiles(files, { room });
    setProblems(checked.problems);
    const [first] = checked.problems;
    if (first) toast({ title: first.title, description: first.words, destructive: true });
    if (checked.accepted.length > 0) uploads.add(frame.deviceId, checked.accepted);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take([...event.dataTransfer.files]);
  };

  useEffect(() => {
    addEventListener('dragover', keepPage);
    addEventListener('drop', keepPage);
    return () => {
      removeEventListener('dragover', keepPage);
      removeEventListener('drop', keepPage);
    };
  }, []);

  if (frame.remainingPhotos <= 0) {
    return <Notice title="All places are filled">{refusals['photo-limit-reached'].words}</Notice>;
  }
  return (
    <div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping is for the mouse; the button inside is for everyone */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
        }}
        onDrop={drop}
        className={classes(
          'rounded-xl border-2 border-dashed px-5 py-8 text-center transition-colors sm:py-12',
          isOver ? 'border-accent bg-accent-soft' : 'border-edge/60 bg-card',
        )}
      >
        <ImagePlus aria-hidden className="mx-auto size-10 text-accent" />
        <p className="title-3 mt-3">{isOver ? 'Let go to add them' : 'Add photos'}</p>
        <p className="mt-1 text-muted">
          <span className="hidden lg:inline">Drag them here, or choose them from your computer. </span>
          <span className="lg:hidden">You can choose several at once. </span>
          Up to {limits.photoMegabytes} MB each.
        </p>
        <Button
          ref={button}
          size="large"
          disabled={!hydrated}
          className="mt-6 w-full sm:w-auto"
          onClick={(event) => event.currentTarget.parentElement?.querySelector('input')?.click()}
        >
          Choose Photos
        </Button>
        <input
          ref={chooserRef}
          type="file"
          multiple
          accept={acceptedFiles}
          disabled={!hydrated}
          tabIndex={-1}
          aria-label="Photo files"
          className="sr-only"
          onChange={(event) => {
            take([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = ''; // so that the same photo can be chosen again
          }}
        />
        <p className="mt-4 text-[0.9375rem] text-muted">JPEG, PNG, HEIC, WebP or GIF</p>
      </div>
      {problems.map(({ title, words }) => (
        <div key={title} className="relative mt-4">
          <Notice tone="bad" title={title} className="pr-14">
            {words}
          </Notice>
          <button
            type="button"
            aria-label="Dismiss"
            onClick={() => setProblems((now) => now.filter((it) => it.title !== title))}
            className="absolute top-1 right-1 grid size-11 place-items-center rounded-full text-bad"
          >
            <X aria-hidden className="size-5" />
          </button>
        </div>
      ))}
    </div>
  );
}

/** A photo that is let go beside its place would be opened by the browser instead of this page. */
function keepPage(event: globalThis.DragEvent) {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}
