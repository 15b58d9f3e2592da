import { statfs } from 'node:fs/promises';

const storageFullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS']);

/** Whether an error code means that the disk or the quota is full, the file is too large, or the disk is read-only. */
export const isStorageFullCode = (code: string | undefined): boolean =>
  code !== undefined && storageFullCodes.has(code);

/** Free and total space of the disk that contains the folder. */
export async function readDiskSpace(folder: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
