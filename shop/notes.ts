import { Refusal } from '#contract/refusals.ts';

/**
 * Notes that two owners write at once: whoever began from others than stand there by now is refused, and shown both. Who
 * does not say where they began means what they say.
 */
export function refuseOverwriting(theirs: string, yours: string, before: string | undefined): void {
  if (before === undefined || theirs === before || theirs === yours) return;
  throw Object.assign(new Refusal('notes-changed'), { details: { yours, theirs } });
}
