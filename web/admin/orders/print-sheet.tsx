import { Printer } from 'lucide-react';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { Button } from '../../ui/button.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';

/** The data that every printed sheet for a package needs. */
export interface PrintSheetProps {
  order: AdminOrder;
  shopName: string;
  supportEmail: string;
}

/** The classes of a printed sheet. It has a border on the screen, and none when printed. */
export const sheetStyle =
  'mt-6 rounded-xl border border-hair bg-card p-6 sm:p-12 print:mt-0 print:border-0 print:bg-transparent print:p-0';

export function PrintButton() {
  const isHydrated = useHydrated();
  return (
    <Button look="secondary" size="small" disabled={!isHydrated} onClick={() => window.print()}>
      <Printer aria-hidden className="size-4.5" />
      Print
    </Button>
  );
}
