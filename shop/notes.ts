import { Refusal } from '#contract/refusals.ts';

/**
 * Protects notes from two edits at the same time. Refuses the change with both versions if the stored notes differ from
 * `before`, the text from which the edit started. Without `before`, the change overwrites the stored notes.
 */
export function refuseOverwriting(theirs: string, yours: string, before: string | undefined): void {
  if (before === undefined || theirs === before || theirs === yours) return;
  throw Object.assign(new Refusal('notes-changed'), { details: { yours, theirs } });
}
