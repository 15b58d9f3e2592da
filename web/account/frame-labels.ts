import type { FrameLimits } from '#contract/frames.ts';

/** The labels of a customer's frames. Frames of different orders can have the same name: add the order number then. */
export function createFrameLabels(frames: readonly Pick<FrameLimits, 'deviceId' | 'deviceName' | 'orderNumber'>[]) {
  const isDuplicateName = (name: string) => frames.filter((it) => it.deviceName === name).length > 1;
  return new Map(
    frames.map(({ deviceId, deviceName, orderNumber }) => [
      deviceId,
      isDuplicateName(deviceName) ? `${deviceName} (order ${orderNumber})` : deviceName,
    ]),
  );
}
