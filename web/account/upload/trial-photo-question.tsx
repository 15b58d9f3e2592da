import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { momentText } from '#contract/calendar.ts';
import type { FrameLimits } from '#contract/frames.ts';
import { send } from '../../data/api.ts';
import { errorText, isRefusal } from '../../data/error-text.ts';
import { trialQuery } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { createFrameLabels } from '../frame-labels.ts';
import { limitsQuery } from '../limits-query.ts';

/**
 * Asks whether the photo that was tried in this browser belongs on a frame of the customer. Nothing is added without
 * the customer's answer, because another person may have used this browser.
 */
export function TrialPhotoQuestion({ frames, frameId }: { frames: readonly FrameLimits[]; frameId: string }) {
  const { data } = useQuery(trialQuery());
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const openFrames = frames.filter((it) => !it.uploadFinalized && it.remainingPhotos > 0);
  const [chosen, setChosen] = useState<string>();
  const [isLeft, setIsLeft] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const trial = data?.trial;
  const deviceId = openFrames.find((it) => it.deviceId === (chosen ?? frameId))?.deviceId ?? openFrames[0]?.deviceId;
  if (!trial || trial.isOnFrame || isLeft || deviceId === undefined) return null;
  const labels = createFrameLabels(frames);
  const findFrameLabel = (id: string) => labels.get(id) ?? '';
  const addTrialPhoto = async () => {
    setIsBusy(true);
    try {
      await send('POST /api/trial/claim', { body: { deviceId } });
      toast({ title: 'Your photo is on your frame', description: `It’s now on ${findFrameLabel(deviceId)}.` });
    } catch (error) {
      const isUnavailable = isRefusal(error, 'not-found') || isRefusal(error, 'trial-claimed');
      toast({
        title: isRefusal(error, 'trial-claimed') ? 'Already on a frame' : 'Not added',
        description: isRefusal(error, 'not-found') ? 'This photo has been deleted.' : errorText(error),
        destructive: !isUnavailable,
      });
      handleSessionEnd(error);
    } finally {
      setIsBusy(false);
      void queryClient.invalidateQueries({ queryKey: trialQuery().queryKey });
      void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    }
  };
  return (
    <Card role="group" aria-labelledby="tried-photo" className="mt-6">
      <div className="flex flex-col gap-6 sm:flex-row">
        <img src={trial.photoUrl} alt="" className="aspect-8/5 w-full rounded-lg bg-clay object-cover sm:w-56" />
        <div className="min-w-0 grow">
          <h2 id="tried-photo" className="title-3">
            Put the photo you tried on your frame?
          </h2>
          <p className="mt-2 text-muted">
            You tried {trial.originalFileName} in this browser. It becomes your first photo, and we’ll make its video
            without the word in the corner. You can decide until {momentText(trial.endsAt)}.
          </p>
          {openFrames.length > 1 && (
            <Field label="Which frame?" className="mt-4">
              {(tied) => (
                <Select {...tied} value={deviceId} onChange={(event) => setChosen(event.currentTarget.value)}>
                  {openFrames.map((it) => (
                    <option key={it.deviceId} value={it.deviceId}>
                      {findFrameLabel(it.deviceId)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          )}
          <div className="mt-5 flex flex-wrap gap-3">
            <Button busy={isBusy} busyLabel="Adding..." onClick={() => void addTrialPhoto()}>
              Put it on {findFrameLabel(deviceId)}
            </Button>
            <Button look="quiet" disabled={isBusy} onClick={() => setIsLeft(true)}>
              Not now
            </Button>
          </div>
        </div>
      </div>
    </Card>
  );
}
