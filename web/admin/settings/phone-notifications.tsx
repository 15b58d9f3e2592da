import { useMutation, useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import type { PushDevice } from '#contract/owner/push.ts';
import { query, send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Notice, Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { LoadErrorNotice } from '../not-loaded.tsx';
import { uncachedQueryOptions, useSessionEnd, useSessionEndOn } from '../session.ts';
import {
  type PushSupport,
  readOwnEndpoint,
  readPushSupport,
  subscribeToPush,
  unsubscribeFromPush,
} from './push-subscription.ts';

/** Notifications of sales on the owner's devices. Each device is turned on by a click on that device. */
export function PhoneNotifications() {
  return (
    <section aria-labelledby="settings-notifications">
      <h2 id="settings-notifications" className="title-3">
        Sales on your phone
      </h2>
      <p className="mt-1 mb-5 max-w-176 text-muted">
        Get a notification for each sale, even when this page is closed. It shows the amount and the order number, and
        nothing about your customer.
      </p>
      <Card className="max-w-176">
        <Devices />
      </Card>
    </section>
  );
}

const textsIfUnavailable: Record<Exclude<PushSupport, 'ready'>, { title: string; text: string }> = {
  denied: {
    title: 'Notifications are blocked',
    text: 'You blocked notifications from this site. Allow them in your browser’s settings for this site, then reload this page.',
  },
  'needs-home-screen': {
    title: 'Add this page to your Home Screen first',
    text: 'On an iPhone or iPad, notifications only work from the Home Screen. Tap Share, then Add to Home Screen. Open the new icon, sign in, and come back to Settings.',
  },
  unsupported: {
    title: 'This browser can’t show notifications',
    text: 'Try a current version of Chrome, Edge, Firefox or Safari, on this device or on your phone.',
  },
};

function Devices() {
  const { data, error, refetch } = useQuery({ ...query('/api/admin/push'), ...uncachedQueryOptions });
  const ownEndpointResult = useQuery({
    queryKey: ['/api', 'admin', 'own-push-endpoint'],
    queryFn: async () => (await readOwnEndpoint()) ?? null,
    ...uncachedQueryOptions,
  });
  const [support, setSupport] = useState(readPushSupport);
  const handleSessionEnd = useSessionEnd();
  useSessionEndOn(error);
  const refresh = () => Promise.all([refetch(), ownEndpointResult.refetch()]);
  const turnOnMutation = useMutation({
    mutationFn: async () => {
      const subscription = await subscribeToPush(data!.publicKey);
      setSupport(readPushSupport());
      if (!subscription) return undefined;
      return send('POST /api/admin/push/devices', { body: subscription });
    },
    async onSuccess(device) {
      if (!device) return;
      await refresh();
      toast({ title: 'Notifications are on', description: 'This device shows your next sale.' });
    },
    onError(failed) {
      toast({ title: 'Notifications are not on', description: errorText(failed), destructive: true });
      handleSessionEnd(failed);
    },
  });
  if (error && !data)
    return <LoadErrorNotice title="We couldn’t load your devices" error={error} onRetry={() => refetch()} />;
  if (!data) return <Skeleton className="h-24 rounded-lg" />;
  const thisDevice = data.devices.find((it) => it.endpoint === ownEndpointResult.data);
  return (
    <>
      {support !== 'ready' ? (
        <Notice tone={support === 'denied' ? 'warn' : 'neutral'} title={textsIfUnavailable[support].title}>
          {textsIfUnavailable[support].text}
        </Notice>
      ) : (
        !thisDevice && (
          <Button busy={turnOnMutation.isPending} onClick={() => turnOnMutation.mutate()}>
            <Bell aria-hidden className="size-4.5" />
            Turn on for this device
          </Button>
        )
      )}
      {data.devices.length === 0 ? (
        <p className="mt-4 text-muted">No device gets notifications yet.</p>
      ) : (
        <ul className="mt-2 divide-y divide-hair">
          {data.devices.map((it) => (
            <Device key={it.id} device={it} isThis={it === thisDevice} onChange={refresh} />
          ))}
        </ul>
      )}
    </>
  );
}

function Device(props: { device: PushDevice; isThis: boolean; onChange: () => Promise<unknown> }) {
  const { device, isThis, onChange } = props;
  const handleSessionEnd = useSessionEnd();
  const params = { id: device.id };
  const test = useMutation({
    mutationFn: () => send('POST /api/admin/push/devices/:id/test', { params }),
    async onSuccess({ message }) {
      toast({ title: 'Test sent', description: message });
      await onChange();
    },
    async onError(error) {
      toast({ title: 'Test not sent', description: errorText(error), destructive: true });
      handleSessionEnd(error);
      await onChange();
    },
  });
  const remove = useMutation({
    mutationFn: async () => {
      const removeResponse = await send('DELETE /api/admin/push/devices/:id', { params });
      if (isThis) await unsubscribeFromPush();
      return removeResponse;
    },
    async onSuccess({ message }) {
      toast({ title: 'Device removed', description: message });
      await onChange();
    },
    onError(error) {
      toast({ title: 'Device not removed', description: errorText(error), destructive: true });
      handleSessionEnd(error);
    },
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="font-semibold">
          {device.device}
          {isThis && <span className="font-normal text-muted"> (this device)</span>}
        </p>
        <p className="text-sm text-muted">
          {device.lastSentAt
            ? `Last notification ${shortMomentText(device.lastSentAt)}`
            : `Added ${shortMomentText(device.createdAt)}`}
        </p>
      </div>
      <div className="flex gap-2">
        <Button look="secondary" size="small" busy={test.isPending} onClick={() => test.mutate()}>
          Send a test
        </Button>
        <Button look="quiet" size="small" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </Button>
      </div>
    </li>
  );
}
