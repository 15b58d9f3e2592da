/** What lists can be sorted and filtered by. Apart from the lists: addresses are read before their code is there. */
export const sortKeys = ['date', 'customer', 'total', 'status'] as const;
export type SortKey = (typeof sortKeys)[number];
/** `-date` is newest first. */
export type Sort = SortKey | `-${SortKey}`;
export const sorts = sortKeys.flatMap((it): Sort[] => [it, `-${it}`]);

export const shows = ['open', 'review', 'under-way', 'failed', 'delivered'] as const;
/** Which orders to list. */
export type Show = (typeof shows)[number];
