import { keepInTab, keptInTab } from '../data/tab-memory.ts';

const key = 'cameByUploadLink';

/**
 * Notes that this tab was opened by an upload link. The visitor has no account to sign in to, so /upload-complete leads
 * back to the photos of the link.
 */
export function rememberLink(): void {
  keepInTab(key, 'true');
}

export function cameByLink(): boolean {
  return keptInTab(key) !== null;
}
