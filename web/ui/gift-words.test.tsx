import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { GiftWords } from './gift-words.tsx';

it('says when a present leaves, until it has left', () => {
  const gift = { recipientName: 'Ruth', from: 'Grace', message: 'Happy birthday!' };
  const words = (props: { hasLeft?: boolean; shipOn?: string }) =>
    renderToStaticMarkup(<GiftWords gift={{ ...gift, ...props }} {...props} />);
  expect(words({})).toContain('Leaves us as soon as it is ready');
  expect(words({ shipOn: '2026-12-20' })).toContain('Leaves us on Sunday, December 20, not before');
  expect(words({ shipOn: '2026-12-20', hasLeft: true })).not.toContain('Leaves us');
  expect(words({ hasLeft: true })).toContain('No prices in the parcel');
});
