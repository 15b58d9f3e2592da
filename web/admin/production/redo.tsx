import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { AdminVideo } from '#contract/owner/production.ts';
import { type MotionStyle, motionChoicesFor, motionTexts } from '#contract/motion.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { isUnderWay } from './production-rules.ts';
import type { VideoActions } from './use-video-actions.ts';

/** Says what happens to an approved video when a new take is made. */
export const approvedTakeStaysText =
  'The customer will see it until you approve the new one, and you can go back to it.';

/** Controls to redo a video: the owner chooses a motion, and a new take (one rendered version) is made. */
export function RedoButton(props: { video: AdminVideo; actions: VideoActions; onDone?: () => void }) {
  const { video, actions, onDone } = props;
  const [style, setStyle] = useState<MotionStyle>(video.style);
  const [isLocal, setIsLocal] = useState(false);
  const [isTitled, setIsTitled] = useState(video.isTitled);
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const choices = motionChoicesFor({ hasOwnMotion: video.hasOwnMotion || video.style === 'own-motion' });
  const isWaiting = isUnderWay(video);
  const redo = () => actions.redo(video, { style, isLocal, ...(isTitled !== null && { isTitled }) });
  return (
    <div className="flex flex-wrap gap-2">
      {video.mayBeHosted && (
        <Select
          aria-label={`Who makes ${video.title}`}
          value={isLocal ? 'local' : 'hosted'}
          disabled={isWaiting}
          onChange={(event) => setIsLocal(event.currentTarget.value === 'local')}
          className="h-11 w-full pl-3 text-[0.9375rem]"
        >
          <option value="hosted">By the AI model</option>
          <option value="local">On this computer</option>
        </Select>
      )}
      <Select
        aria-label={`Motion of ${video.title}`}
        value={style}
        disabled={isWaiting}
        onChange={(event) => setStyle(event.currentTarget.value as MotionStyle)}
        className="h-11 min-w-0 flex-1 pl-3 text-[0.9375rem]"
      >
        {choices.map((it) => (
          <option key={it} value={it}>
            {motionTexts[it].name}
          </option>
        ))}
      </Select>
      {isTitled !== null && (
        <Select
          aria-label={`Title on ${video.title}`}
          value={isTitled ? 'titled' : 'plain'}
          disabled={isWaiting}
          onChange={(event) => setIsTitled(event.currentTarget.value === 'titled')}
          className="h-11 w-full pl-3 text-[0.9375rem]"
        >
          <option value="plain">Without its title</option>
          <option value="titled">With its title on it</option>
        </Select>
      )}
      <Button
        look="secondary"
        size="small"
        className="shrink-0 px-3.5"
        disabled={isWaiting}
        busy={actions.isBusy(video.id)}
        aria-label={`Redo ${video.title}`}
        onClick={() => {
          if (video.state === 'approved') setIsDialogOpen(true);
          else void redo().then((done) => done && onDone?.());
        }}
      >
        <RotateCw aria-hidden className="size-4.5" />
        Redo
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onOpenChange={setIsDialogOpen}
        title={`Make “${video.title}” again?`}
        description={`This video is approved. ${approvedTakeStaysText} We won’t send an email now.`}
        confirmLabel="Make it again"
        onConfirm={async () => {
          if (!(await redo())) throw new Error('We couldn’t start the video again');
          onDone?.();
        }}
      />
    </div>
  );
}
