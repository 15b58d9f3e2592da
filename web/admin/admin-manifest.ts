/**
 * Names the panel's own manifest while the panel is open. If the owner adds the panel to a phone's Home Screen, it opens
 * there as an app, which iPhones need for notifications.
 */
export function setAdminManifest(): (() => void) | undefined {
  const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
  if (!link) return undefined;
  const publicManifest = link.href;
  link.href = '/admin.webmanifest';
  return () => {
    link.href = publicManifest;
  };
}
