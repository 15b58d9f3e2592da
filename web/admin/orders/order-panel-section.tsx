import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

const titleLook = 'font-sans text-sm font-semibold tracking-normal text-muted';

/** A part of the detail panel, with a title. A folded part shows only its title until the owner opens it. */
export function OrderPanelSection(props: { title: string; isFolded?: boolean; children: ReactNode }) {
  const { title, isFolded = false, children } = props;
  if (isFolded)
    return (
      <details className="group py-1.5">
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-md [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden className="size-4.5 text-muted transition-transform group-open:rotate-90" />
          <h3 className={titleLook}>{title}</h3>
        </summary>
        <div className="pt-1 pb-3">{children}</div>
      </details>
    );
  return (
    <div className="py-4">
      <h3 className={`mb-2 ${titleLook}`}>{title}</h3>
      {children}
    </div>
  );
}
