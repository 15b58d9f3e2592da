import type { PanelArea } from './areas.ts';

/**
 * The parts of the panel that can change. /api/admin/live sends a part's name as an event without data when it may have
 * changed.
 */
export const liveTopics = ['orders', 'production', 'uploads', 'tickets', 'reviews', 'sessions', 'sales'] as const;
export type LiveTopic = (typeof liveTopics)[number];

/** The area of each topic. The stream of a person has only the topics whose area the person's role may use. */
export const liveAreas: Record<LiveTopic, PanelArea> = {
  orders: 'orders',
  production: 'fulfillment',
  uploads: 'orders',
  tickets: 'support',
  reviews: 'content',
  sessions: 'own',
  sales: 'orders',
};
