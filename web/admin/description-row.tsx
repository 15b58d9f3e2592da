import type { ReactNode } from 'react';

/** One row of a two-column description list. */
export const DescriptionRow = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{label}</dt>
    <dd>{children}</dd>
  </>
);
