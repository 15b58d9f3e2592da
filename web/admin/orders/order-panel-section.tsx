import type { ReactNode } from 'react';

/** A part of the detail panel, with a title. */
export function OrderPanelSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="py-4">
      <h3 className="mb-2 font-sans text-sm font-semibold tracking-normal text-muted">{title}</h3>
      {children}
    </div>
  );
}
