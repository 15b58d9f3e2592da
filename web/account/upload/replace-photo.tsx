import { useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useRef, useState } from 'react';
import type { UploadView } from '#contract/frames.ts';
import { errorText } from '../../data/error-text.ts';
import { upload } from '../../data/upload.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Notice, ProgressBar } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery } from '../limits-query.ts';
import { countText } from '#contract/count-text.ts';
import { acceptedFiles } from '../accepted-files.ts';
import { checkFiles } from './file-checks.ts';

/** Replaces a photo if the customer does not like its video. This uses one credit, and a new video is made. */
export function ReplacePhoto(props: { photo: UploadView; credits: number; onReplaced: () => void }) {
  const { photo, credits } = props;
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const fileInputRef = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<File>();
  const [progress, setProgress] = useState<number>();
  const choosePhoto = (file: File | undefined) => {
    if (!file) return;
    const { accepted, problems } = checkFiles([file], { room: 1 });
    const [problem] = problems;
    if (problem) toast({ title: problem.title, description: problem.words, destructive: true });
    setChosen(accepted[0]);
  };
  const replace = async (file: File) => {
    const form = new FormData();
    form.set('image', file);
    try {
      await upload('POST /api/uploads/:id/replacement', form, { params: { id: photo.id }, onProgress: setProgress });
      toast({
        title: 'Photo replaced',
        description: 'We’re making the new video now. We’ll email you when it’s ready.',
      });
      props.onReplaced();
    } catch (error) {
      toast({ title: 'Photo not replaced', description: errorText(error), destructive: true });
      handleSessionEnd(error);
      throw error;
    } finally {
      setProgress(undefined);
      void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    }
  };
  return (
    <>
      <Button look="secondary" onClick={() => fileInputRef.current?.click()}>
        <RefreshCw aria-hidden className="size-5" />
        Replace photo ({countText(credits, 'credit')} left)
      </Button>
      <input
        ref={fileInputRef}
        type="file"
        accept={acceptedFiles}
        tabIndex={-1}
        aria-label={`Replacement for ${photo.originalFileName}`}
        className="sr-only"
        onChange={(event) => {
          choosePhoto(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      <ConfirmDialog
        open={chosen !== undefined}
        onOpenChange={(open) => !open && setChosen(undefined)}
        title="Replace this photo?"
        description={
          <>
            {chosen?.name} takes the place of {photo.originalFileName}. We’ll delete the old photo and its video. This
            uses one of your {countText(credits, 'reupload credit')}.
            {progress !== undefined && <ProgressBar value={progress} label="Uploading the photo" className="mt-3" />}
          </>
        }
        confirmLabel="Replace it"
        busyLabel="Replacing..."
        onConfirm={() => chosen && replace(chosen)}
      />
    </>
  );
}

/** Shown next to the photos if there are credits to use. */
export const CreditsNotice = ({ credits }: { credits: number }) =>
  credits > 0 && (
    <Notice title={`You have ${countText(credits, 'reupload credit')}`}>
      Not happy with a video because of its photo? Tap the photo below to replace it. Each replacement uses one credit.
    </Notice>
  );
