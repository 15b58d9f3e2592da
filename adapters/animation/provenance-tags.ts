import { provenanceWords } from '#contract/motion.ts';
import type { AnimatedVideo } from '#shop/ports/animator.ts';

/** What was done to a photo, as a video's own metadata tell it: for people, and for programs. */
export const provenanceTags = (provenance: AnimatedVideo['provenance']): string[] => [
  '-metadata',
  `comment=${provenanceWords(provenance)}`,
  '-metadata',
  `description=${JSON.stringify(provenance)}`,
];
