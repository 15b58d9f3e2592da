import { Refusal } from '#contract/refusals.ts';

/**
 * Protects notes that two owners edit at the same time. Refuses the change with both versions if the stored notes
 * differ from `before`, the text the owner started from. Without `before`, the change overwrites the stored notes.
 */
export function refuseOverwriting(theirs: string, yours: string, before: string | undefined): void {
  if (before === undefined || theirs === before || theirs === yours) return;
  throw Object.assign(new Refusal('notes-changed'), { details: { yours, theirs } });
}
