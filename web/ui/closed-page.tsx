import type { ReactNode } from 'react';
import { paths } from '../paths.ts';
import { LinkButton } from './button.tsx';

/** A page for a link that is invalid or has expired: says what happened and what to do. */
export function ClosedPage({ title, words, children }: { title: string; words: string; children: ReactNode }) {
  return (
    <section className="wrap flex flex-col items-center py-24 text-center sm:py-32">
      <h1 className="title-2">{title}</h1>
      <p className="lede mt-4 max-w-xl">{words}</p>
      <p className="mt-3 max-w-xl text-muted">{children}</p>
      <div className="mt-9 flex flex-wrap justify-center gap-3">
        <LinkButton to={paths.support}>Contact support</LinkButton>
        <LinkButton look="secondary" to={paths.home}>
          Back to Home
        </LinkButton>
      </div>
    </section>
  );
}
