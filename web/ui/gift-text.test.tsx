import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { GiftText } from './gift-text.tsx';

it('GiftText shows the shipping day of a gift only when the gift has not shipped yet', () => {
  const gift = { recipientName: 'Ruth', from: 'Grace', message: 'Happy birthday!' };
  const renderText = (props: { hasLeft?: boolean; shipOn?: string }) =>
    renderToStaticMarkup(<GiftText gift={{ ...gift, ...props }} {...props} />);
  expect(renderText({})).toContain('Ships as soon as it’s ready');
  expect(renderText({ shipOn: '2026-12-20' })).toContain('Ships on Sunday, December 20');
  expect(renderText({ shipOn: '2026-12-20', hasLeft: true })).not.toContain('Ships');
  expect(renderText({ hasLeft: true })).toContain('No prices in the package');
});
