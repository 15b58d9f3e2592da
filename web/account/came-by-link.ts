const key = 'cameByUploadLink';

/** Whoever adds photos in this tab has a link, and no account to sign in to. */
export function rememberLink(): void {
  try {
    sessionStorage.setItem(key, 'true');
  } catch {
    // Storage is switched off; the link in their mail leads back.
  }
}

export function cameByLink(): boolean {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
