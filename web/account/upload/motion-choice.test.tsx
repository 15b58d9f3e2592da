import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { MotionStyle } from '#contract/motion.ts';
import type { AllowedMotions } from '#contract/photo-forms.ts';
import { MotionChoice } from './motion-choice.tsx';

const unspecifiedMotions: AllowedMotions = { living: null, water: false, candle: null };
const renderChoice = (motions: MotionStyle[], style: MotionStyle | null, moves: AllowedMotions | null) =>
  renderToStaticMarkup(<MotionChoice motions={motions} photo={{ style, moves }} onChoose={() => {}} />);

test('the first motion is called our choice while the customer has neither chosen nor answered', () => {
  for (const moves of [null, unspecifiedMotions])
    expect(renderChoice(['alive', 'depth'], null, moves)).toContain('Breathes and blinks (our choice)');
  expect(renderChoice(['alive', 'depth'], 'depth', null)).toContain('Breathes and blinks (our choice)');
});

test('the first motion is not called our choice after the customer’s answer', () => {
  for (const [motion, moves] of [
    ['water', { ...unspecifiedMotions, water: true }],
    ['candlelight', { ...unspecifiedMotions, candle: { x: 0.5, y: 0.5 } }],
    ['alive', { ...unspecifiedMotions, living: true }],
    ['portrait-light', { ...unspecifiedMotions, living: false }],
  ] as const)
    expect(renderChoice([motion, 'depth'], null, moves)).not.toContain('our choice');
});

test('the first motion is not called our choice when the customer has chosen it', () => {
  const choice = renderChoice(['own-motion', 'depth'], 'own-motion', null);
  expect(choice).toContain('Its own motion');
  expect(choice).not.toContain('our choice');
});
