import { Camera, ImagePlus, X } from 'lucide-react';
import { type Ref, useEffect, useRef, useState } from 'react';
import type { FrameLimits } from '#contract/frames.ts';
import { limits } from '#contract/limits.ts';
import { refusals } from '#contract/refusals.ts';
import { Button } from '../../ui/button.tsx';
import { joinClassNames } from '../../ui/classes.ts';
import { Notice } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import type { InputProblem } from '../input-problem.ts';
import { acceptedFiles } from '../accepted-files.ts';
import { checkFiles } from './file-checks.ts';
import { DuplicatesQuestion, useDuplicatesQuestion } from '../../sending/duplicates-question.tsx';
import type { Uploads } from '../../sending/use-upload-queue.ts';
import { useHydrated } from '../../ui/use-hydrated.ts';

interface Props {
  frame: FrameLimits;
  uploads: Uploads;
  /** A ref for the file input. The bar at the bottom of the page opens the file chooser with it. */
  chooserRef: Ref<HTMLInputElement>;
}

/**
 * The customer drops, pastes, chooses or takes photos here. Uploads start at once. The area is large while the frame
 * has no photo, and folded to a bar after that.
 */
export function Uploader({ frame, uploads, chooserRef }: Props) {
  const isHydrated = useHydrated();
  const cameraInputRef = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [problems, setProblems] = useState<InputProblem[]>([]);
  const uploadsOfFrame = uploads.list.filter((it) => it.frameId === frame.deviceId);
  const roomInFrame = frame.remainingPhotos - uploadsOfFrame.filter((it) => it.state.kind === 'sending').length;
  const isFolded = frame.uploads.length + uploadsOfFrame.length > 0;
  const duplicatesQuestion = useDuplicatesQuestion({
    here: () => ({ photos: frame.uploads, onTheirWay: uploads.filesTo(frame.deviceId) }),
    onFiles: (files) => uploads.add(files, frame.deviceId),
  });

  const addFiles = async (files: readonly File[]) => {
    if (files.length === 0) return;
    const checkedFiles = checkFiles(files, { room: roomInFrame });
    setProblems(checkedFiles.problems);
    const [first] = checkedFiles.problems;
    if (first) toast({ title: first.title, description: first.words, destructive: true });
    await duplicatesQuestion.checkAndAdd(checkedFiles.accepted);
  };
  const addFilesRef = useRef(addFiles);
  useEffect(() => {
    addFilesRef.current = addFiles;
  });

  // Listen on the whole page. Otherwise the browser would leave the page and open a photo that is dropped elsewhere.
  useEffect(() => {
    const onDragOver = (event: globalThis.DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setIsOver(true);
    };
    const handleDragLeave = (event: globalThis.DragEvent) => event.relatedTarget === null && setIsOver(false);
    const handleDrop = (event: globalThis.DragEvent) => {
      setIsOver(false);
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      void addFilesRef.current([...event.dataTransfer.files]);
    };
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) event.preventDefault();
      void addFilesRef.current(files);
    };
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', handleDragLeave);
    addEventListener('drop', handleDrop);
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('dragleave', handleDragLeave);
      removeEventListener('drop', handleDrop);
      removeEventListener('paste', onPaste);
    };
  }, []);

  if (frame.remainingPhotos <= 0) {
    return <Notice title="Your frame is full">{refusals['photo-limit-reached'].words}</Notice>;
  }
  // On a phone, the buttons of the folded bar are side by side. In the large area, each button has its own row.
  const buttonShape = joinClassNames('sm:px-8', isFolded ? 'flex-1 max-sm:px-3 sm:flex-none' : 'w-full px-4 sm:w-auto');
  const iconShape = joinClassNames('size-5 shrink-0', isFolded && 'max-sm:hidden');
  const chooseButtons = (
    <>
      <Button
        size={isFolded ? 'regular' : 'large'}
        look={isFolded ? 'secondary' : 'primary'}
        disabled={!isHydrated}
        className={buttonShape}
        onClick={(event) => event.currentTarget.closest('[data-uploader]')?.querySelector('input')?.click()}
      >
        <ImagePlus aria-hidden className={iconShape} />
        Choose photos
      </Button>
      <Button
        size={isFolded ? 'regular' : 'large'}
        look="secondary"
        disabled={!isHydrated}
        className={joinClassNames(buttonShape, 'lg:hidden')}
        onClick={() => cameraInputRef.current?.click()}
      >
        <Camera aria-hidden className={iconShape} />
        Take a photo
      </Button>
    </>
  );
  return (
    <div data-uploader>
      <input
        ref={chooserRef}
        type="file"
        multiple
        accept={acceptedFiles}
        disabled={!isHydrated}
        tabIndex={-1}
        aria-label="Photo files"
        className="sr-only"
        onChange={(event) => {
          void addFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = ''; // otherwise choosing the same photo again would cause no change event
        }}
      />
      <input
        ref={cameraInputRef}
        type="file"
        accept="image/*"
        capture="environment"
        disabled={!isHydrated}
        tabIndex={-1}
        aria-label="A photo from the camera"
        className="sr-only"
        onChange={(event) => {
          void addFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      {isFolded ? (
        <div
          className={joinClassNames(
            'flex flex-wrap items-center gap-3 rounded-xl border-2 border-dashed p-3 transition-colors sm:px-5',
            isOver ? 'border-accent bg-accent-soft' : 'border-edge/60 bg-card',
          )}
        >
          {chooseButtons}
          <p className="hidden flex-1 text-[0.9375rem] text-muted lg:pointer-fine:block">
            {isOver ? 'Drop to add them' : 'Or drag photos anywhere on this page, or paste them.'}
          </p>
        </div>
      ) : (
        <div
          className={joinClassNames(
            'rounded-xl border-2 border-dashed px-5 py-8 text-center transition-colors sm:py-12',
            isOver ? 'border-accent bg-accent-soft' : 'border-edge/60 bg-card',
          )}
        >
          <ImagePlus aria-hidden className="mx-auto size-10 text-accent" />
          <p className="title-3 mt-3">{isOver ? 'Drop to add them' : 'Add photos'}</p>
          <p className="mt-1 text-muted">
            <span className="hidden lg:pointer-fine:inline">
              Drag them here, paste them, or choose them from your computer.{' '}
            </span>
            <span className="lg:pointer-fine:hidden">You can choose several at once. </span>
            Up to {limits.photoMegabytes} MB each.
          </p>
          <div className="mt-6 flex flex-wrap justify-center gap-3">{chooseButtons}</div>
          <p className="mt-4 text-[0.9375rem] text-muted">JPEG, PNG, HEIC, WebP or GIF</p>
        </div>
      )}
      <DuplicatesQuestion {...duplicatesQuestion} room={roomInFrame} />
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
