const format = new Intl.NumberFormat('en-US');

/** 1,234 */
export const figure = (count: number): string => format.format(count);
/** 1 photo, 1,234 photos. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${figure(count)} ${count === 1 ? one : many}`;
