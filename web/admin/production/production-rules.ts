import { shortMomentText } from '#contract/calendar.ts';
import { formatDollars } from '#contract/catalog.ts';
import { motionTexts } from '#contract/motion.ts';
import type { AdminVideo, ProductionOrder } from '#contract/owner/production.ts';
import { makerLabel } from './maker-label.ts';

export type ProductionFrame = ProductionOrder['frames'][number];

export const isUnderWay = ({ state }: AdminVideo) => state === 'queued' || state === 'rendering';

/**
 * The facts of a video in one line: motion, takes, animator and cost. Until the video is made, its motion is a plan: the
 * rendering can find that the photo does not allow it.
 */
export const videoSummaryText = (video: AdminVideo): string =>
  [
    video.isOwnFilm ? 'Your own video' : `${isUnderWay(video) ? 'Planned: ' : ''}${motionTexts[video.style].name}`,
    video.take > 1 && `made ${video.take} times`,
    !video.isOwnFilm && video.madeBy !== null && makerLabel(video.madeBy),
    video.costCents > 0 && formatDollars(video.costCents),
  ]
    .filter(Boolean)
    .join(' · ');

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
  const countInState = (state: AdminVideo['state']) => videos.filter((it) => it.state === state).length;
  return {
    total: videos.length,
    underWay: videos.filter(isUnderWay).length,
    toReview: countInState('rendered'),
    approved: countInState('approved'),
    failed: countInState('failed'),
  };
}

/** The state of the customer's review of the videos before shipping (the proof), as text. */
export function proofText({ round, endsAt }: NonNullable<ProductionFrame['proof']>): string {
  const roundText = round > 1 ? `, round ${round}` : '';
  return endsAt === null
    ? `The customer is waiting for a new video${roundText}`
    : `The customer can review until ${shortMomentText(endsAt)}${roundText}`;
}
