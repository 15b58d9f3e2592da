/** What in the panel may have changed: told at /api/admin/live as the names of events without words. */
export const liveTopics = ['orders', 'production', 'uploads', 'tickets', 'reviews', 'sessions'] as const;
export type LiveTopic = (typeof liveTopics)[number];
