import { expect, test } from 'vitest';
import { facesText } from './faces-text.ts';

test('facesText returns a text for every result of the face detection, and for a missing result', () => {
  expect(facesText({ isLooking: true, faces: undefined })).toBe('Looking for faces...');
  expect(facesText({ isLooking: false, faces: undefined })).toMatch(/^We couldn’t look for faces/);
  expect(facesText({ isLooking: false, faces: 0 })).toMatch(/^We didn’t find a face/);
  expect(facesText({ isLooking: false, faces: 2 })).toMatch(/the faces we found/);
});
