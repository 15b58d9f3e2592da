import { stringifySearch } from '../search.ts';
import type { Answer } from '../data/api.ts';

export type FrameInfo = Answer<'GET /api/customer/frames'>['frameInfo'];

/**
 * Where a customer goes after signing in or up, when no page was remembered (specification 2, section 4). Undefined
 * stands for a check that failed.
 */
export function nextPageAfterSignIn(frameInfo: FrameInfo | undefined): string {
  return nextPage(frameInfo, '/upload');
}

/** The same after registration was completed: who has bought nothing is shown what there is to buy. */
export function nextPageAfterRegistration(frameInfo: FrameInfo | undefined): string {
  return nextPage(frameInfo, '/purchase-required');
}

function nextPage(frameInfo: FrameInfo | undefined, withoutOrders: string): string {
  if (!frameInfo) return '/upload';
  const { frames, deviceCount, hasFrames, hasOrders } = frameInfo;
  const [first] = frames;
  if (hasFrames && deviceCount === 1 && first) return `/upload${stringifySearch({ frameId: first.id })}`;
  if (hasFrames && deviceCount > 1) return '/select-frame';
  return hasOrders ? '/device-setup-pending' : withoutOrders;
}
