/** The owner's own time: these pages are made in the browser. */
export const moment = (iso: string) =>
  new Date(iso).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
export const shortDay = (iso: string) => new Date(iso).toLocaleDateString('en-US', { dateStyle: 'medium' });
