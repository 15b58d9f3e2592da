import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { findDuplicates } from './duplicates.ts';

const file = (content: string, name = 'a.jpg') => new File([content], name);
const photo = (content: string) => ({
  fileSize: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
});

it('finds a duplicate by its bytes when the photo is in the frame, still uploading, or chosen twice', async () => {
  const [kite, again, boat, swing, other] = [
    file('kite'),
    file('kite', 'copy.jpg'),
    file('boat'),
    file('swing'),
    file('kita'),
  ];
  const foundDuplicates = await findDuplicates([kite, again, boat, swing, other], {
    photos: [photo('boat'), photo('far-off')],
    onTheirWay: [file('swing', 'b.jpg')],
  });
  expect([...foundDuplicates]).toEqual([again, boat, swing]);
  expect(await findDuplicates([kite], { photos: [], onTheirWay: [] })).toEqual(new Set());
});
