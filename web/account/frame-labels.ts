import type { FrameLimits } from '#contract/frames.ts';

/** How pages name the frames of one customer: two orders may both have a Kinframe 1. */
export function frameLabels(frames: readonly Pick<FrameLimits, 'deviceId' | 'deviceName' | 'orderNumber'>[]) {
  const isShared = (name: string) => frames.filter((it) => it.deviceName === name).length > 1;
  return new Map(
    frames.map(({ deviceId, deviceName, orderNumber }) => [
      deviceId,
      isShared(deviceName) ? `${deviceName} (order ${orderNumber})` : deviceName,
    ]),
  );
}
