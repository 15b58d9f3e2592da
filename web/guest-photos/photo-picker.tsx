import { Camera, ImagePlus, X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { InputProblem } from '../account/input-problem.ts';
import type { KnownPhotos } from '../sending/duplicates.ts';
import { DuplicatesQuestion, useDuplicatesQuestion } from '../sending/duplicates-question.tsx';
import { acceptedFiles } from '../account/accepted-files.ts';
import { checkFiles } from '../account/upload/file-checks.ts';
import { Button } from '../ui/button.tsx';
import { joinClassNames } from '../ui/classes.ts';
import { Notice } from '../ui/surfaces.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';

interface Props {
  title: string;
  /** A text that says which photos can be added. */
  children: ReactNode;
  /** How many more photos can be added. Photos that are uploading are already subtracted. */
  room: number;
  /** Called when files are chosen, to find duplicates. Returns the uploaded photos and the files that are uploading. */
  here: () => KnownPhotos;
  onFiles: (files: readonly File[]) => void;
}

/** Lets a guest choose photos, take them with the camera, or drop them here. Uploads start at once. */
export function PhotoPicker({ title, children, room, here, onFiles }: Props) {
  const isHydrated = useHydrated();
  const albumInputRef = useRef<HTMLInputElement>(null);
  const cameraInputRef = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [problems, setProblems] = useState<InputProblem[]>([]);
  const duplicatesQuestion = useDuplicatesQuestion({ here, onFiles });
  const addPhotos = (list: FileList | null) => {
    if (!list || list.length === 0) return;
    const checkedFiles = checkFiles([...list], { room });
    setProblems(checkedFiles.problems);
    void duplicatesQuestion.checkAndAdd(checkedFiles.accepted);
  };
  const renderFileInput = (label: string, ref: typeof albumInputRef, isCamera: boolean) => (
    <input
      ref={ref}
      type="file"
      multiple={!isCamera}
      accept={isCamera ? 'image/*' : acceptedFiles}
      {...(isCamera && { capture: 'environment' as const })}
      disabled={!isHydrated}
      tabIndex={-1}
      aria-label={label}
      className="sr-only"
      onChange={(event) => {
        addPhotos(event.currentTarget.files);
        event.currentTarget.value = ''; // otherwise choosing the same photo again would cause no change event
      }}
    />
  );
  return (
    <div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping is for the mouse; the buttons
          inside are for everyone */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
        }}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          addPhotos(event.dataTransfer.files);
        }}
        className={joinClassNames(
          'rounded-xl border-2 border-dashed px-5 py-7 text-center transition-colors sm:py-10',
          isOver ? 'border-accent bg-accent-soft' : 'border-edge/60 bg-card',
        )}
      >
        <h2 className="title-3">{isOver ? 'Drop to add them' : title}</h2>
        <p className="mt-1 text-muted">{children}</p>
        <div className="mt-5 grid gap-3 sm:flex sm:flex-wrap sm:justify-center">
          <Button size="large" disabled={!isHydrated} onClick={() => albumInputRef.current?.click()}>
            <ImagePlus aria-hidden className="size-5" />
            Choose photos
          </Button>
          <Button
            look="secondary"
            size="large"
            disabled={!isHydrated}
            className="pointer-fine:hidden"
            onClick={() => cameraInputRef.current?.click()}
          >
            <Camera aria-hidden className="size-5" />
            Take a photo
          </Button>
        </div>
        {renderFileInput('Photo files', albumInputRef, false)}
        {renderFileInput('Camera', cameraInputRef, true)}
      </div>
      <DuplicatesQuestion {...duplicatesQuestion} room={room} />
      {problems.map(({ title: about, words }) => (
        <div key={about} className="relative mt-4">
          <Notice tone="bad" title={about} className="pr-14">
            {words}
          </Notice>
          <button
            type="button"
            aria-label="Dismiss"
            onClick={() => setProblems((now) => now.filter((it) => it.title !== about))}
            className="absolute top-1 right-1 grid size-11 place-items-center rounded-full text-bad"
          >
            <X aria-hidden className="size-5" />
          </button>
        </div>
      ))}
    </div>
  );
}
