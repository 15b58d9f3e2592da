import type { AdminUser, UserChange } from '#contract/owner/people.ts';

const amounts = ['basePhotoLimit', 'extraPhotoPackages', 'reuploadCredits'] as const;
export type AmountTexts = Record<(typeof amounts)[number], string>;

export const readAmountTexts = (user: AdminUser): AmountTexts => ({
  basePhotoLimit: String(user.basePhotoLimit),
  extraPhotoPackages: String(user.extraPhotoPackages),
  reuploadCredits: String(user.reuploadCredits),
});

/** The typed text as an integer. Returns 0 if the text is invalid or negative. */
export function parseAmount(typed: string): number {
  const amount = Math.trunc(Number(typed));
  return Number.isFinite(amount) ? Math.max(0, amount) : 0;
}

/** Says what is wrong with a typed amount and what is saved instead. Undefined for a whole number of 0 or more. */
export function findAmountProblem(typed: string): string | undefined {
  if (/^\s*\d+\s*$/.test(typed)) return undefined;
  const insteadText = typed.trim() === '' ? '' : ` instead of “${typed.trim()}”`;
  return `Please enter a whole number, 0 or more. We’ll save ${parseAmount(typed)}${insteadText}.`;
}

/** The amounts that differ from the user's current amounts. */
export function findChangedAmounts(user: AdminUser, typed: AmountTexts): UserChange {
  const changedAmounts = amounts.filter((it) => parseAmount(typed[it]) !== user[it]);
  return Object.fromEntries(changedAmounts.map((it) => [it, parseAmount(typed[it])]));
}
