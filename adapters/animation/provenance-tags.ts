import { provenanceText } from '#contract/motion.ts';
import type { AnimatedVideo } from '#shop/ports/animator.ts';

/**
 * ffmpeg arguments for metadata that states what was done to the photo: as text for people, and as JSON for programs.
 */
export const createProvenanceTags = (provenance: AnimatedVideo['provenance']): string[] => [
  '-metadata',
  `comment=${provenanceText(provenance)}`,
  '-metadata',
  `description=${JSON.stringify(provenance)}`,
];
