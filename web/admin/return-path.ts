import { keepInTab, takeFromTab } from '../data/tab-memory.ts';
import { paths } from '../paths.ts';

const key = 'adminReturnPath';

export const rememberAdminPath = (path: string): void => keepInTab(key, path);

/** The place in the panel that somebody had to sign in for, once. Nothing else is led to. */
export function takeAdminPath(): string | undefined {
  const remembered = takeFromTab(key);
  return [`${paths.admin}?`, paths.giftReceipt('')].some((it) => remembered?.startsWith(it)) ? remembered! : undefined;
}
