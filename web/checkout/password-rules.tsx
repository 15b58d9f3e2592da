import { Check, Circle } from 'lucide-react';
import { limits } from '#contract/limits.ts';

/** The rules for a registration's password (specification 2, section 5). */
export const passwordRules = [
  {
    words: `At least ${limits.registrationPasswordMinimum} characters`,
    isMetBy: (it: string) => it.length >= limits.registrationPasswordMinimum,
  },
  { words: 'One uppercase letter', isMetBy: (it: string) => /[A-Z]/.test(it) },
  { words: 'One lowercase letter', isMetBy: (it: string) => /[a-z]/.test(it) },
  { words: 'One number', isMetBy: (it: string) => /\d/.test(it) },
];

/** The list of rules. A rule is checked off as soon as the typed password meets it. */
export function PasswordRules({ password }: { password: string }) {
  return (
    <ul className="grid gap-x-6 gap-y-1.5 text-[0.9375rem] sm:grid-cols-2" aria-label="Password rules">
      {passwordRules.map(({ words, isMetBy }) => {
        const isWithinLimit = isMetBy(password);
        const Icon = isWithinLimit ? Check : Circle;
        return (
          <li
            key={words}
            className={
              isWithinLimit ? 'flex items-center gap-2 font-medium text-good' : 'flex items-center gap-2 text-muted'
            }
          >
            <Icon
              aria-hidden
              className={isWithinLimit ? 'size-4.5' : 'mx-0.75 size-3'}
              strokeWidth={isWithinLimit ? 3 : 2}
            />
            {words}
            <span className="sr-only">{isWithinLimit ? ' (met)' : ' (not yet met)'}</span>
          </li>
        );
      })}
    </ul>
  );
}
