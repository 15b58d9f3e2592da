import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { findDuplicates } from './duplicates.ts';

const createFile = (content: string, name = 'a.jpg') => new File([content], name);
const createPhoto = (content: string) => ({
  fileSize: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
});

it('finds a duplicate by its bytes when the photo is in the frame, still uploading, or chosen twice', async () => {
  const [kite, again, boat, swing, other] = [
    createFile('kite'),
    createFile('kite', 'copy.jpg'),
    createFile('boat'),
    createFile('swing'),
    createFile('kita'),
  ];
  const foundDuplicates = await findDuplicates([kite, again, boat, swing, other], {
    photos: [createPhoto('boat'), createPhoto('far-off')],
    onTheirWay: [createFile('swing', 'b.jpg')],
  });
  expect([...foundDuplicates]).toEqual([again, boat, swing]);
  expect(await findDuplicates([kite], { photos: [], onTheirWay: [] })).toEqual(new Set());
});
