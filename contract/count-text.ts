const format = new Intl.NumberFormat('en-US');

/** 1,234 */
export const formatCount = (count: number): string => format.format(count);
/** 1 photo, 1,234 photos. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
