import { Refusal } from '#contract/refusals.ts';
import type { PushDevice as PushDeviceView } from '#contract/owner/push.ts';
import { recordAuditEntry } from '#shop/audit/audit.ts';
import {
  addPushDevice,
  type PushDevice,
  listPushDevices,
  readPushKeys,
  removePushDevice,
  sendToDevice,
} from '#shop/owner-push/owner-push.ts';
import { getAuditAuthor } from '../common/by.ts';
import { describeDevice } from '../common/device-text.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerPushRoutes({ app, shop }: HttpScope): void {
  const { db, clock } = shop;

  mountOperation(app, 'GET /api/admin/push', async () => ({
    publicKey: (await readPushKeys(shop)).publicKey,
    devices: (await listPushDevices(db)).map(toPushDeviceView),
  }));

  mountOperation(app, 'POST /api/admin/push/devices', async ({ body: { endpoint, keys }, request }) => {
    const device = describeDevice(request.headers['user-agent']) ?? 'Unknown browser';
    return toPushDeviceView(await addPushDevice(shop, { endpoint, ...keys, device }, getAuditAuthor(request)));
  });

  mountOperation(app, 'DELETE /api/admin/push/devices/:id', async ({ params, request }) => {
    await removePushDevice(shop, params.id, getAuditAuthor(request));
    return { message: 'That device no longer gets notifications.' };
  });

  mountOperation(app, 'POST /api/admin/push/devices/:id/test', async ({ params: { id }, request }) => {
    if (!(await listPushDevices(db)).some((it) => it.id === id)) throw new Refusal('not-found');
    await recordAuditEntry(db, clock, { act: 'test-push-device', subjectId: id, ...getAuditAuthor(request) });
    const result = await sendToDevice(shop, id, {
      title: 'It works',
      body: 'This device shows your next sale.',
      tag: 'test',
      path: '/admin?tab=settings',
    }).catch((cause: unknown) => {
      throw Object.assign(new Refusal('push-failed'), { cause });
    });
    if (result === 'gone') throw new Refusal('push-device-gone');
    return { message: 'We sent a test notification. It arrives in a few seconds.' };
  });
}

const toPushDeviceView = ({ id, device, endpoint, createdAt, lastSentAt }: PushDevice): PushDeviceView => ({
  id,
  device,
  endpoint,
  createdAt: createdAt.toISOString(),
  lastSentAt: lastSentAt?.toISOString() ?? null,
});
