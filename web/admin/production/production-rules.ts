import { shortMomentText } from '#contract/calendar.ts';
import type { AdminVideo, ProductionOrder } from '#contract/owner/production.ts';

export type ProductionFrame = ProductionOrder['frames'][number];

export const isUnderWay = ({ state }: AdminVideo) => state === 'queued' || state === 'rendering';

/** Whether a video of these orders is queued or rendering. The page then has to refetch. */
export const hasWork = (orders: readonly ProductionOrder[] | undefined) =>
  orders?.some(({ frames }) => frames.some(({ videos }) => videos.some(isUnderWay))) ?? false;

/** Whether the videos of all finalized frames of an order are delivered. */
export const isDelivered = ({ frames }: ProductionOrder): boolean =>
  frames.every(({ finalizedAt, videosReadyAt }) => finalizedAt === null || videosReadyAt !== null);

export interface VideoCounts {
  total: number;
  underWay: number;
  toReview: number;
  approved: number;
  failed: number;
}
export function countVideos(videos: readonly AdminVideo[]): VideoCounts {
  const count = (state: AdminVideo['state']) => videos.filter((it) => it.state === state).length;
  return {
    total: videos.length,
    underWay: videos.filter(isUnderWay).length,
    toReview: count('rendered'),
    approved: count('approved'),
    failed: count('failed'),
  };
}

/** The state of the customer's review of the videos before shipping (the proof), as text. */
export function proofText({ round, endsAt }: NonNullable<ProductionFrame['proof']>): string {
  const roundText = round > 1 ? `, round ${round}` : '';
  return endsAt === null
    ? `The customer is waiting for a new video${roundText}`
    : `The customer can review until ${shortMomentText(endsAt)}${roundText}`;
}
