import { expect, it } from 'vitest';
import { findConnectionProblem } from './connection-check.ts';

const photo = { name: 'qr.png', type: 'image/png', size: 1000 };

it('returns a problem when there is neither a code nor a photo', () => {
  expect(findConnectionProblem({ code: '  ', photo: undefined })?.title).toBe('No Information Provided');
  expect(findConnectionProblem({ code: 'AB12', photo: undefined })).toBeUndefined();
  expect(findConnectionProblem({ code: '', photo })).toBeUndefined();
});
it('returns a problem when the code is longer than 200 characters', () => {
  expect(findConnectionProblem({ code: ` ${'A'.repeat(200)} `, photo: undefined })).toBeUndefined();
  expect(findConnectionProblem({ code: 'A'.repeat(201), photo: undefined })?.words).toBe(
    'Please use at most 200 characters for the invitation code.',
  );
});
it('returns a problem when the photo is not a JPEG or PNG, or is larger than 10 MB', () => {
  expect(findConnectionProblem({ code: 'AB12', photo: { ...photo, type: 'image/heic' } })?.words).toBe(
    'Please upload a JPEG or PNG image.',
  );
  const tenMegabytes = 10 * 1024 * 1024;
  expect(findConnectionProblem({ code: '', photo: { ...photo, size: tenMegabytes } })).toBeUndefined();
  expect(findConnectionProblem({ code: '', photo: { ...photo, size: tenMegabytes + 1 } })?.words).toBe(
    'Please upload an image smaller than 10MB.',
  );
});
