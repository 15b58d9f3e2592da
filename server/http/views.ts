import type { UploadView } from '#contract/frames.ts';
import { photoUrl, thumbnailUrl, type Upload } from '#shop/photos/photos.ts';

/** A photo as its owner sees it. */
export const uploadView = (upload: Upload, isProcessed: boolean): UploadView => ({
  id: upload.id,
  url: photoUrl(upload),
  thumbnailUrl: thumbnailUrl(upload),
  fileName: upload.fileName,
  originalFileName: upload.originalFileName,
  mimeType: upload.mimeType,
  fileSize: upload.fileSize,
  width: upload.width,
  height: upload.height,
  uploadedAt: upload.uploadedAt.toISOString(),
  isProcessed,
});
