import { expect, test } from 'vitest';
import { detectMailOrigin, listHeaderRecipients, refusesAutomaticReplies } from './mail-headers.ts';

const parseHeaders = (text: string) =>
  text
    .split('\n')
    .map((line) => ({ key: line.slice(0, line.indexOf(':')).toLowerCase(), value: line.slice(line.indexOf(':') + 1) }));

test.each([
  ['Auto-Submitted: auto-replied', 'automatic'],
  ['Auto-Submitted: Auto-Generated; owner-email="x"', 'automatic'],
  ['Auto-Submitted: no', 'person'],
  ['X-Autoreply: yes', 'automatic'],
  ['Precedence: auto_reply', 'automatic'],
  ['Return-Path: <>', 'automatic'],
  ['Return-Path: <anna@example.com>', 'person'],
  ['Content-Type: multipart/report; report-type=delivery-status', 'automatic'],
  ['Precedence: bulk', 'list'],
  ['List-Id: <news.example.com>', 'list'],
  ['List-Unsubscribe: <https://example.com>', 'list'],
  ['X-Auto-Response-Suppress: All', 'person'],
  ['Subject: Auto-Submitted: auto-replied', 'person'],
])('an email with the header %s has the origin %s', (header, origin) =>
  expect(detectMailOrigin(parseHeaders(header), 'anna@example.com')).toBe(origin),
);

test('an email from mailer-daemon counts as automatic', () => {
  expect(detectMailOrigin([], 'mailer-daemon@example.com')).toBe('automatic');
});

test('X-Auto-Response-Suppress refuses automatic replies, unless it is none', () => {
  expect(refusesAutomaticReplies(parseHeaders('X-Auto-Response-Suppress: DR, OOF, AutoReply'))).toBe(true);
  expect(refusesAutomaticReplies(parseHeaders('X-Auto-Response-Suppress: None'))).toBe(false);
  expect(refusesAutomaticReplies([])).toBe(false);
});

test('reads the recipients from the headers that a mail server adds', () => {
  expect(
    listHeaderRecipients(
      parseHeaders('Delivered-To: A+1@example.com\nX-Original-To: <b@example.com>\nTo: c@example.com'),
    ),
  ).toEqual(['a+1@example.com', 'b@example.com']);
});
