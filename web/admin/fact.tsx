import type { ReactNode } from 'react';

/** One line of a two-column list of facts. */
export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{label}</dt>
    <dd>{children}</dd>
  </>
);
