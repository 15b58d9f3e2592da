import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { withoutLineBreaks } from './without-line-breaks.tsx';

test('withoutLineBreaks keeps a range and its unit on one line and does not change the text', () => {
  const text =
    'Ready in 24-72 hours, refunded in 5-10 business days, 1200 x 1200 pixels over Wi-Fi; a family-run shop.';
  const html = renderToStaticMarkup(<p>{withoutLineBreaks(text)}</p>);
  const unbrokenParts = [...html.matchAll(/<span class="whitespace-nowrap">([^<]*)<\/span>/g)].map((it) => it[1]);
  expect(unbrokenParts).toEqual(['24-72 hours', '5-10 business days', '1200 x 1200 pixels', 'Wi-Fi']);
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(text);
});
