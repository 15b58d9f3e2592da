import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/field.tsx';
import { shortcutsSwitch } from './shortcuts.ts';

const keys = [
  ['Ctrl K', 'Find anything'],
  ['/', 'Search'],
  ['J, K', 'Next and previous order'],
  ['N, P', 'Next and previous page of a list'],
  ['Esc', 'Close the order, leave the search'],
  ['R', 'In an open order: refund'],
  ['Ctrl Enter', 'Send an answer, save a form with notes'],
  ['A', 'While reviewing a video: approve it'],
  ['← →', 'While reviewing: previous and next video'],
  ['?', 'This list'],
] as const;

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The number of tabs. */
  tabs: number;
}

export function ShortcutsDialog({ open, onOpenChange, tabs }: Props) {
  const [isOn, setIsOn] = useState(shortcutsSwitch.isOn);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" size="small">
      <dl className="mt-5 space-y-3">
        {[[`1 – ${tabs}`, 'The tabs, from the left'] as const, ...keys].map(([key, words]) => (
          <div key={key} className="flex items-baseline gap-4">
            <dt className="w-28 shrink-0 whitespace-nowrap">
              <kbd className="rounded-sm border border-edge bg-linen px-2 py-0.5 font-mono text-sm">{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        className="mt-6"
        label="Use keyboard shortcuts"
        checked={isOn}
        onChange={(event) => {
          shortcutsSwitch.set(event.currentTarget.checked);
          setIsOn(event.currentTarget.checked);
        }}
      />
    </Dialog>
  );
}
