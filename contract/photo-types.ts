/** Specification 2, section 5: what the upload page takes, and how such files are called. Plain, for the browser as well. */
export const photoTypes = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/heic': ['heic'],
  'image/heif': ['heif'],
} as const;
export type PhotoMime = keyof typeof photoTypes;
