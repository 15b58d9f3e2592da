import { expect, test } from 'vitest';
import { api } from './api.ts';
import type { Operation } from './operation.ts';
import { Refusal, refusals } from './refusals.ts';

const sampleFacts = {
  names: 'kite.jpg',
  quantity: 2,
  remaining: 1,
  code: 'SUMMER',
  day: 'November 30, 2026',
  left: '$9.99',
  needed: 'Owner or Support',
  why: 'It is sold out.',
  words: 'That card is not one of ours.',
  frame: 'Kinframe 1',
  count: 2,
  what: 'base photos',
  least: 3,
  more: '$20.00',
  last: '2XPA',
  minutes: '10',
  reason: 'Insufficient funds',
  paid: '$199.00',
};
const allRefusals = Object.entries(refusals).map(([name, { status, words }]) => ({
  name,
  status,
  words: typeof words === 'string' ? words : (words as (given: typeof sampleFacts) => string)(sampleFacts),
}));

test.each(allRefusals)('$name has a kebab-case code, an error status and a text', ({ name, status, words }) => {
  expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(600);
  expect(words).toMatch(/^[A-Z].{10,}/);
  expect(words).not.toMatch(/undefined|\[object|TODO/);
});

test('refusals have exactly the texts of the specification', () => {
  const wordsOfRefusal = (name: string) => allRefusals.find((it) => it.name === name)!.words;
  expect(wordsOfRefusal('photo-limit-reached')).toBe(
    'This frame has reached its photo upload limit. Purchase additional photo packages to upload more photos.',
  );
  expect(wordsOfRefusal('invalid-file-type')).toBe(
    'These files are not supported: kite.jpg. Please use JPEG, PNG, HEIC, WebP, or GIF images.',
  );
  expect(wordsOfRefusal('file-too-large')).toBe(
    'These files exceed the 10MB limit: kite.jpg. Try compressing or resizing them.',
  );
  expect(wordsOfRefusal('no-photos-yet')).toBe('Please upload at least one photo before finalizing.');
  expect(wordsOfRefusal('qr-type')).toBe('Please upload a JPEG or PNG image.');
  expect(wordsOfRefusal('qr-too-large')).toBe('Please upload an image smaller than 10MB.');
  expect(wordsOfRefusal('link-expired')).toBe('This upload link has expired or is invalid.');
  expect(wordsOfRefusal('reset-link-invalid')).toBe(
    'This password reset link is invalid or has expired. Please request a new one.',
  );
  expect(wordsOfRefusal('registration-expired')).toBe('Registration session not found or expired');
  expect(wordsOfRefusal('payment-not-finished')).toBe('Payment was not completed successfully');
  expect(wordsOfRefusal('wrong-admin-password')).toBe('Invalid password');
  expect(wordsOfRefusal('owner-sign-in-away')).toBe('Failed to authenticate. Please try again.');
  expect(wordsOfRefusal('owner-sign-in-off')).toBe('Access denied. Only the Replit owner can access the admin panel.');
});

test('a refusal has its code, status and text', () => {
  expect(new Refusal('file-too-large', { names: 'a.png' })).toMatchObject({
    code: 'file-too-large',
    status: 413,
    message: 'These files exceed the 10MB limit: a.png. Try compressing or resizing them.',
  });
});

test.each(Object.entries(api as Record<string, Operation>))(
  '%s has a summary, a response type and only known refusals',
  (route, operation) => {
    expect(operation.summary).toMatch(/^[A-Z].{4,}[^.]$/);
    expect(operation.response).toBeDefined();
    for (const name of operation.refusals ?? []) expect(refusals).toHaveProperty([name]);
    const placeholders = Array.from(route.matchAll(/:(\w+)/g), ([, name]) => name);
    expect(operation.params !== undefined).toBe(placeholders.length > 0);
    if (/^(GET|DELETE) /.test(route)) expect(operation.body ?? operation.multipart).toBeUndefined();
  },
);
