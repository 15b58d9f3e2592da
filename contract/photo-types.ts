/**
 * The file types that the upload page accepts, with their file extensions (specification 2, section 5). The browser
 * uses this file, too, so it has no dependencies.
 */
export const photoTypes = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/heic': ['heic'],
  'image/heif': ['heif'],
} as const;
export type PhotoMime = keyof typeof photoTypes;
