import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';

/** The selected rows, for bulk actions. */
export interface Selection {
  ids: ReadonlySet<string>;
  has: (id: string) => boolean;
  set: (ids: readonly string[], isOn: boolean) => void;
  clear: () => void;
}

/**
 * The selected rows of the visible page. Rows of other pages are not included, so that no action changes hidden rows.
 */
export function useSelection(shownIds: readonly string[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const ids = new Set(shownIds.filter((id) => selected.has(id)));
  return {
    ids,
    has: (id) => ids.has(id),
    set: (changed, isOn) => {
      const otherIds = [...ids].filter((id) => !changed.includes(id));
      setSelected(new Set(isOn ? [...otherIds, ...changed] : otherIds));
    },
    clear: () => setSelected(new Set()),
  };
}

/** The actions for the selected rows. Hidden while no row is selected. */
export function BulkBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  if (selection.ids.size === 0) return null;
  return (
    <div
      role="region"
      aria-label="Selected rows"
      data-bottom-bar
      className="sticky bottom-4 z-10 mt-3 flex flex-wrap items-center gap-3 rounded-lg border border-hair bg-card px-4 py-2 shadow-soft"
    >
      <p role="status" className="font-semibold">
        {selection.ids.size} selected
      </p>
      {children}
      <Button look="quiet" size="small" onClick={selection.clear} className="ml-auto">
        <X aria-hidden className="size-4.5" />
        Clear
      </Button>
    </div>
  );
}
