import { expect, test } from 'vitest';
import { looksLikeLink } from './link-like.ts';

test.each([
  'Anna',
  'J.R. Smith',
  "Zoë O'Neil-Østergård",
  '毛利 小五郎',
  '毛利・小五郎',
  'Dr. St. Clair',
  'Anna 2',
  'Ａｎｎａ', // full-width letters alone are a name
  'والدة أحمد',
  '',
])('looksLikeLink(%s) is false', (text) => {
  expect(looksLikeLink(text)).toBe(false);
});

test.each([
  'Win at evil.example',
  'http://x.y',
  'call 0800 123 4567',
  'a@b.co',
  'evil.example/now',
  'C:\\evil',
  '192.0.2.77',
  'ｅｖｉｌ．ｅｘａｍｐｌｅ', // a host in full-width letters
  'evil。example', // a host with the ideographic full stop
  'evil｡example', // a host with the half-width ideographic full stop
  'evil․example', // a host with a one dot leader
  'ｈｔｔｐ：／／x',
  'evil∕example', // a path with a division slash
  'me＠evil',
  '０８００　１２３　４５６７',
  '٠٨٠٠ ١٢٣ ٤٥٦٧',
  'evil\u200b.\u2060example', // a host with invisible characters
  'ev\u00adil.exam\u00adple',
  '例え.テスト',
  'münchen.de',
])('looksLikeLink(%s) is true', (text) => {
  expect(looksLikeLink(text)).toBe(true);
});
