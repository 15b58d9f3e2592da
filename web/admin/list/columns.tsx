import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/field.tsx';
import type { AdminSearch, OnSearch } from '../search.ts';
import { createColumnsParam, filterShownColumns } from './list-rules.ts';
import type { Column } from './list-table.tsx';

/** A dialog to choose the columns of a list. */
export function ColumnChoice<Row>(props: { columns: readonly Column<Row>[]; search: AdminSearch; onSearch: OnSearch }) {
  const { columns, search, onSearch } = props;
  const [isOpen, setIsOpen] = useState(false);
  const shownNames = new Set(filterShownColumns(columns, search.columns).map((it) => it.name));
  return (
    <>
      <Button look="secondary" onClick={() => setIsOpen(true)} className="max-sm:px-4">
        <Columns3 aria-hidden className="size-4.5" />
        Columns
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        size="small"
        title="Columns"
        description="They are part of the link, so a link to this list shows the same columns."
        footer={
          <>
            <Button
              look="quiet"
              disabled={search.columns === undefined}
              onClick={() => onSearch({ columns: undefined })}
            >
              Reset
            </Button>
            <Button onClick={() => setIsOpen(false)}>Done</Button>
          </>
        }
      >
        <div className="mt-6 space-y-4">
          {columns.map(({ name, heading }) => (
            <Checkbox
              key={name}
              label={heading}
              checked={shownNames.has(name)}
              disabled={shownNames.size === 1 && shownNames.has(name)}
              onChange={(event) =>
                onSearch({ columns: createColumnsParam(columns, search.columns, name, event.currentTarget.checked) })
              }
            />
          ))}
        </div>
      </Dialog>
    </>
  );
}
