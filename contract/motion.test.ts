import { expect, it } from 'vitest';
import { madeInsteadText, motionStyles, listProvenanceDetails, provenanceSentence, provenanceText } from './motion.ts';

it('provenanceSentence says "your photo" to the customer, and "a family photo" to other viewers', () => {
  expect(provenanceSentence({ by: 'local' })).toBe(
    'Animated from your own photo on our own computers, with nothing made up.',
  );
  const sharedOptions = { isShared: true };
  expect(provenanceSentence({ by: 'local' }, sharedOptions)).toMatch(/^Animated from a family photo/);
  for (const animatorKind of ['local', 'hosted', 'hand'] as const) {
    const madeVideo = { by: animatorKind, model: 'a-model', style: 'alive', isRestored: true, isTitled: true } as const;
    expect([provenanceSentence(madeVideo, sharedOptions), ...listProvenanceDetails(madeVideo)].join(' ')).not.toMatch(
      /\byou/i,
    );
  }
});

it('provenanceText names each change to the photo, and then does not claim that nothing was made up', () => {
  const text = provenanceText({ by: 'local', filledBackground: 'painted', isRestored: true, isTitled: false });
  expect(text).toContain('The background behind people was filled in by AI.');
  expect(text).toContain('We repaired the photo and brought its colors back.');
  expect(text).toContain('We left its title off, because it would have covered a face.');
  expect(text).not.toContain('nothing made up');
});

it('listProvenanceDetails names the motion and the model, and provenanceSentence does not', () => {
  expect(listProvenanceDetails({ by: 'local', style: 'push-in' })).toEqual(['Motion: moves slowly closer.']);
  expect(provenanceSentence({ by: 'hosted', model: 'a-model' })).toBe('Made from your photo by AI.');
  expect(listProvenanceDetails({ by: 'hosted', model: 'a-model' })).toEqual(['The AI model is a-model.']);
  expect(listProvenanceDetails({ by: 'hand' })).toEqual([]);
});

it.each(motionStyles)('madeInsteadText explains in one sentence why a video lacks the motion %s', (style) => {
  expect(madeInsteadText(style)).toMatch(/^We couldn’t [^.]+, so this video moves in another way\.$/);
});
