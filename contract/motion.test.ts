import { expect, it } from 'vitest';
import { provenanceWords } from './motion.ts';

it('calls a photo theirs who get it, and a family’s to whom it is only shown', () => {
  expect(provenanceWords({ by: 'local' })).toBe('Your own photo, set in motion on our machines, nothing in it made up');
  const shown = { isShared: true };
  expect(provenanceWords({ by: 'local' }, shown)).toMatch(/^A family’s own photo, set in motion on our machines/);
  for (const by of ['local', 'hosted', 'hand'] as const) expect(provenanceWords({ by }, shown)).not.toMatch(/\byou/i);
});
