import { expect, test } from 'vitest';
import { videoTitleFromCaption } from './video-title.ts';

test.each([
  ['The kite', 'The kite'],
  ['  Łódź — Nguyễn, Phở,\n\t“Straße” 2½ ', 'Łódź — Nguyễn, Phở, “Straße” 2½'],
  ['Cafe\u0301', 'Café'],
  ['Kite 🎈 flying 👨‍👩‍👧‍👦 1️⃣ 🇫🇷 👍🏽', 'Kite flying 1'],
  ['a\u202eb\u200fc', 'abc'],
  ['🎈', undefined],
  [' ', undefined],
  [null, undefined],
  ['Дедушка', undefined],
  ['Savta סבתא', undefined],
  ['جدي', undefined],
  ['海 sea', undefined],
  ['q\u0303uiet', undefined],
])('for the caption %j the title on the video is %j', (caption, title) =>
  expect(videoTitleFromCaption(caption)).toBe(title),
);
