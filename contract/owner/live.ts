/**
 * The parts of the panel that can change. /api/admin/live sends a part's name as an event without data when it may have
 * changed.
 */
export const liveTopics = ['orders', 'production', 'uploads', 'tickets', 'reviews', 'sessions'] as const;
export type LiveTopic = (typeof liveTopics)[number];
