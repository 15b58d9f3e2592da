import { LockKeyhole, Mail, PackageCheck, Undo2 } from 'lucide-react';
import { paths } from '../paths.ts';
import { Link } from '../ui/link.tsx';

/** Answers to questions that buyers have before they pay. */
export function Assurances({ shipped }: { shipped: boolean }) {
  const assuranceTexts = [
    {
      icon: LockKeyhole,
      words: 'Your card details go straight to our payment provider. We never see your card number.',
    },
    shipped
      ? { icon: PackageCheck, words: 'Free shipping to the United States and Canada.' }
      : { icon: Mail, words: 'Digital delivery, 24-72 hours after you finish uploading.' },
    ...(shipped ? [{ icon: Undo2, words: '30-day returns, 1-year limited warranty.' }] : []),
  ];
  return (
    <>
      <ul className="space-y-2.5 text-[0.9375rem] text-muted">
        {assuranceTexts.map(({ icon: Icon, words }) => (
          <li key={words} className="flex gap-3">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />
            {words}
          </li>
        ))}
      </ul>
      <p className="mt-4 text-[0.9375rem] text-muted">
        Questions before you buy?{' '}
        <Link to={paths.support} className="link">
          Ask us
        </Link>
        .
      </p>
    </>
  );
}
