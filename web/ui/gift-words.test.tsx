import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { GiftWords } from './gift-words.tsx';

it('GiftWords shows the shipping day of a gift only when the gift has not shipped yet', () => {
  const gift = { recipientName: 'Ruth', from: 'Grace', message: 'Happy birthday!' };
  const words = (props: { hasLeft?: boolean; shipOn?: string }) =>
    renderToStaticMarkup(<GiftWords gift={{ ...gift, ...props }} {...props} />);
  expect(words({})).toContain('Ships as soon as it is ready');
  expect(words({ shipOn: '2026-12-20' })).toContain('Ships on Sunday, December 20');
  expect(words({ shipOn: '2026-12-20', hasLeft: true })).not.toContain('Ships');
  expect(words({ hasLeft: true })).toContain('No prices in the package');
});
