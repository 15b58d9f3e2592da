import { expect, test } from 'vitest';
import { facesWords } from './faces-words.ts';

test('facesWords returns a text for every result of the face detection, and for a missing result', () => {
  expect(facesWords({ isLooking: true, faces: undefined })).toBe('Looking for faces...');
  expect(facesWords({ isLooking: false, faces: undefined })).toMatch(/^We could not look for faces/);
  expect(facesWords({ isLooking: false, faces: 0 })).toMatch(/^We did not find a face/);
  expect(facesWords({ isLooking: false, faces: 2 })).toMatch(/the faces we found/);
});
