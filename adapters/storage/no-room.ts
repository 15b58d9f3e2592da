const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS']);

/** The disk, the quota or the file size limit is used up, or the disk went read-only. */
export const isNoRoom = (code: string | undefined): boolean => code !== undefined && noRoom.has(code);
