import { statfs } from 'node:fs/promises';

const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS']);

/** The disk, the quota or the file size limit is used up, or the disk went read-only. */
export const isNoRoom = (code: string | undefined): boolean => code !== undefined && noRoom.has(code);

/** Of the disk that a folder is on. */
export async function roomOf(folder: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
