/** Parts of the texts of refusals. */
export const minutesText = (seconds: number) => (seconds <= 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`);

export const hoursText = (seconds: number) => (seconds <= 3600 ? 'an hour' : `${Math.ceil(seconds / 3600)} hours`);

export const framesLeftText = (left: string) => (left === '1' ? '1 frame is' : `${left} frames are`);

export const formatThousands = (count: number) => new Intl.NumberFormat('en-US').format(count);
