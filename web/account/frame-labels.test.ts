import { expect, it } from 'vitest';
import { createFrameLabels } from './frame-labels.ts';

it('frameLabels adds the order number when two frames have the same name', () => {
  const [one, other] = ['a', 'b'].map((id) => ({
    deviceId: id,
    deviceName: 'Kinframe 1',
    orderNumber: `O-${id}`,
  }));
  expect([...createFrameLabels([one!, other!]).values()]).toEqual(['Kinframe 1 (order O-a)', 'Kinframe 1 (order O-b)']);
  expect([...createFrameLabels([one!]).values()]).toEqual(['Kinframe 1']);
});
