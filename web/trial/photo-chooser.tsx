import { Camera, ImagePlus } from 'lucide-react';
import { type Ref, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { acceptedFiles } from '../account/accepted-files.ts';
import { Button } from '../ui/button.tsx';
import { joinClassNames } from '../ui/classes.ts';
import { Notice } from '../ui/surfaces.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';

interface Props {
  title: string;
  /** The error of the last photo. */
  problem: { title: string; words: string } | undefined;
  /** Called when the visitor is about to choose a photo. */
  onOpen: () => void;
  onPhoto: (photo: File) => void;
  headingRef: Ref<HTMLHeadingElement>;
}

/** Lets a visitor choose one photo, take it with the camera, or drop it here. It has the same rules as every upload. */
export function PhotoChooser({ title, problem, onOpen, onPhoto, headingRef }: Props) {
  const isHydrated = useHydrated();
  const albumInputRef = useRef<HTMLInputElement>(null);
  const cameraInputRef = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const chooseFirstPhoto = (list: FileList | null) => {
    const firstFile = list?.[0];
    if (firstFile) onPhoto(firstFile);
  };
  const openFileDialog = (ref: typeof albumInputRef) => {
    onOpen();
    ref.current?.click();
  };
  const renderFileInput = (label: string, ref: typeof albumInputRef, isCamera: boolean) => (
    <input
      ref={ref}
      type="file"
      accept={isCamera ? 'image/*' : acceptedFiles}
      {...(isCamera && { capture: 'environment' as const })}
      disabled={!isHydrated}
      tabIndex={-1}
      aria-label={label}
      className="sr-only"
      onChange={(event) => {
        chooseFirstPhoto(event.currentTarget.files);
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
          chooseFirstPhoto(event.dataTransfer.files);
        }}
        className={joinClassNames(
          'rounded-xl border-2 border-dashed px-5 py-10 text-center transition-colors sm:py-14',
          isOver ? 'border-accent bg-accent-soft' : 'border-edge/60 bg-card',
        )}
      >
        <h2 ref={headingRef} tabIndex={-1} className="title-3 outline-none">
          {isOver ? 'Drop it here' : title}
        </h2>
        <p className="mt-1 text-muted">
          One photo, up to {limits.photoMegabytes} MB. People close to the camera look best.
        </p>
        <div className="mt-6 grid gap-3 sm:flex sm:flex-wrap sm:justify-center">
          <Button size="large" disabled={!isHydrated} onClick={() => openFileDialog(albumInputRef)}>
            <ImagePlus aria-hidden className="size-5" />
            Choose a photo
          </Button>
          <Button
            look="secondary"
            size="large"
            disabled={!isHydrated}
            className="pointer-fine:hidden"
            onClick={() => openFileDialog(cameraInputRef)}
          >
            <Camera aria-hidden className="size-5" />
            Take a photo
          </Button>
        </div>
        {renderFileInput('Photo file', albumInputRef, false)}
        {renderFileInput('Camera', cameraInputRef, true)}
      </div>
      {problem && (
        <Notice key={problem.words} tone="bad" title={problem.title} className="mt-4">
          {problem.words}
        </Notice>
      )}
    </div>
  );
}
