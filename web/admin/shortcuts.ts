import { useKeys } from '../ui/keys.ts';

const offKey = 'adminShortcutsOff';

/** Single keys can be in the way of speech input and screen readers, so each browser may switch them off. */
export const shortcutsSwitch = {
  isOn: () => {
    try {
      return localStorage.getItem(offKey) === null;
    } catch {
      return true;
    }
  },
  set: (on: boolean) => {
    try {
      if (on) localStorage.removeItem(offKey);
      else localStorage.setItem(offKey, 'off');
    } catch {
      // Storage is switched off: the keys stay on.
    }
  },
};

const noDialogIsOpen = () => document.querySelector('[role=dialog]') === null;

/** Act on single keys, unless someone is typing, a dialog is open, or they are switched off. */
export const useShortcuts = (actions: Record<string, (() => void) | undefined>): void =>
  useKeys(actions, { when: () => shortcutsSwitch.isOn() && noDialogIsOpen() });

/** Ctrl K, or ⌘ K: also while someone types, but not over a dialog. */
export const useFinderKey = (open: () => void): void =>
  useKeys({ k: open }, { withControl: true, when: noDialogIsOpen });
