import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '../ui/surfaces.tsx';

/** A card with a heading. When it is printed, only the heading and the content are visible, not the card. */
export function TitledCard(props: { icon: LucideIcon; title: string; className?: string; children: ReactNode }) {
  const { icon: Icon, title, className, children } = props;
  return (
    <Card className={`print:border-0 print:bg-transparent print:p-0 print:shadow-none ${className ?? ''}`}>
      <h2 tabIndex={-1} className="title-3 mb-4 flex items-center gap-3">
        <Icon aria-hidden className="size-6 shrink-0 text-accent print:hidden" strokeWidth={1.75} />
        {title}
      </h2>
      {children}
    </Card>
  );
}
