/** `March 3, 2027`, the same on the server and in every browser. */
export const day = (iso: string) =>
  new Date(iso).toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' });

export const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** `4.2 MB`, as people read file sizes. */
export function megabytes(bytes: number): string {
  if (bytes < 1e5) return `${Math.max(1, Math.round(bytes / 1e3))} KB`;
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

/** What an order was for, in words. */
export function productName(productType: string): string {
  if (productType === 'byof') return 'Bring Your Own Frame';
  if (productType === 'photo-bundle') return 'Photo package';
  return productType.endsWith('-with-bundle') ? 'Digital picture frame with extra photos' : 'Digital picture frame';
}
