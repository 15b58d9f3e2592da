import type { AdminUser, UserChange } from '#contract/owner/people.ts';

const amounts = ['basePhotoLimit', 'extraPhotoPackages', 'reuploadCredits'] as const;
export type Amounts = Record<(typeof amounts)[number], string>;

export const amountsOf = (user: AdminUser): Amounts => ({
  basePhotoLimit: String(user.basePhotoLimit),
  extraPhotoPackages: String(user.extraPhotoPackages),
  reuploadCredits: String(user.reuploadCredits),
});

/** What was typed as a whole number; 0 where it is none, or less than none. */
export function amountIn(typed: string): number {
  const amount = Math.trunc(Number(typed));
  return Number.isFinite(amount) ? Math.max(0, amount) : 0;
}

/** What of it is not as it was. */
export function changeOf(user: AdminUser, typed: Amounts): UserChange {
  const changed = amounts.filter((it) => amountIn(typed[it]) !== user[it]);
  return Object.fromEntries(changed.map((it) => [it, amountIn(typed[it])]));
}
