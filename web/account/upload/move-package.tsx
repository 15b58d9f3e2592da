import { useQueryClient } from '@tanstack/react-query';
import { Shuffle } from 'lucide-react';
import { useState } from 'react';
import { includedPhotoCounts } from '#contract/catalog.ts';
import type { FrameLimits } from '#contract/frames.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery } from '../limits-query.ts';
import { countText } from '#contract/count-text.ts';
import { findMovablePackages } from './movable-packages.ts';

const photosPerPackage = includedPhotoCounts.extraPackage;

/** Moves an empty extra package to another frame of the order. It can be moved back. */
export function MovePackage({ frame, frames }: { frame: FrameLimits; frames: readonly FrameLimits[] }) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const [toId, setToId] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { packages, to } = findMovablePackages(frame, frames);
  const takingFrame = to.find((it) => it.deviceId === toId) ?? to[0];
  if (packages === 0 || !takingFrame) return null;

  const moveSelectedPackage = async () => {
    setBusy(true);
    try {
      await send('POST /api/devices/:id/move-package', {
        params: { id: frame.deviceId },
        body: { toDeviceId: takingFrame.deviceId },
      });
      toast({
        title: 'Photo package moved',
        description: `${takingFrame.deviceName} now has room for ${takingFrame.totalLimit + photosPerPackage} photos.`,
      });
    } catch (error) {
      toast({ title: 'Photo package not moved', description: errorText(error), destructive: true });
      handleSessionEnd(error);
    }
    await queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    setBusy(false);
  };
  return (
    <Card>
      <h2 className="title-3 flex items-center gap-3">
        <Shuffle aria-hidden className="size-6 shrink-0 text-accent" />
        Move extra photo space
      </h2>
      <p className="mt-2 text-muted">
        {frame.deviceName} has {countText(packages, 'extra package')} of {photosPerPackage} photos that{' '}
        {packages === 1 ? 'is' : 'are'} still empty. You can move {packages === 1 ? 'it' : 'one'} to another frame in
        this order.
      </p>
      {to.length > 1 && (
        <Field label="Move to" className="mt-4">
          {(tied) => (
            <Select {...tied} value={takingFrame.deviceId} onChange={(event) => setToId(event.currentTarget.value)}>
              {to.map(({ deviceId, deviceName, usedPhotos, totalLimit }) => (
                <option key={deviceId} value={deviceId}>
                  {deviceName}: {usedPhotos} of {totalLimit} photos
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <Button
        look="secondary"
        wide
        className="mt-5"
        busy={busy}
        busyLabel="Moving..."
        onClick={() => void moveSelectedPackage()}
      >
        Move {photosPerPackage} to {takingFrame.deviceName}
      </Button>
    </Card>
  );
}
