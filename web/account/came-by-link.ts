import { keepInTab, keptInTab } from '../data/tab-memory.ts';

const key = 'cameByUploadLink';

/** Whoever adds photos in this tab has a link, and no account to sign in to. */
export function rememberLink(): void {
  keepInTab(key, 'true');
}

export function cameByLink(): boolean {
  return keptInTab(key) !== null;
}
