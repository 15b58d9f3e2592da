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
