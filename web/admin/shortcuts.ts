import { useKeys } from '../ui/keys.ts';

const switchedOffKey = 'adminShortcutsOff';

/** Single-key shortcuts can conflict with speech input and screen readers, so each browser can turn them off. */
export const shortcutsSwitch = {
  isOn: () => {
    try {
      return localStorage.getItem(switchedOffKey) === null;
    } catch {
      return true;
    }
  },
  set: (on: boolean) => {
    try {
      if (on) localStorage.removeItem(switchedOffKey);
      else localStorage.setItem(switchedOffKey, 'off');
    } catch {
      // The browser's storage is off, so the choice cannot be stored. The shortcuts stay on.
    }
  },
};

const noDialogIsOpen = () => document.querySelector('[role=dialog]') === null;

/** Single-key shortcuts. They do nothing while the owner types, while a dialog is open, or if they are turned off. */
export const useShortcuts = (actions: Record<string, (() => void) | undefined>): void =>
  useKeys(actions, { when: () => shortcutsSwitch.isOn() && noDialogIsOpen() });

/** Ctrl K or ⌘ K opens the search dialog. Works while the owner types, but not while a dialog is open. */
export const useFinderKey = (open: () => void): void =>
  useKeys({ k: open }, { withControl: true, when: noDialogIsOpen });
