/** Parts of the texts of refusals. */
export const inMinutes = (seconds: number) => (seconds <= 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`);

export const inHours = (seconds: number) => (seconds <= 3600 ? 'an hour' : `${Math.ceil(seconds / 3600)} hours`);

export const framesWords = (left: string) => (left === '1' ? '1 frame is' : `${left} frames are`);

export const formatThousands = (count: number) => new Intl.NumberFormat('en-US').format(count);
