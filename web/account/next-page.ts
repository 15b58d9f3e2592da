import type { QueryClient } from '@tanstack/react-query';
import { type Answer, query } from '../data/api.ts';
import { paths } from '../paths.ts';

export type FrameInfo = Answer<'GET /api/customer/frames'>['frameInfo'];

/**
 * Where a customer goes after signing in or up, when no page was remembered (specification 2, section 4). Undefined
 * stands for a check that failed.
 */
export const nextPageAfterSignIn = (frameInfo: FrameInfo | undefined) => nextPage(frameInfo, paths.upload);

/** The same after registration was completed: who has bought nothing is shown what there is to buy. */
export const nextPageAfterRegistration = (frameInfo: FrameInfo | undefined) =>
  nextPage(frameInfo, paths.purchaseRequired);

/** Where /select-frame leads by itself; undefined when there are several frames to choose from. */
export function nextPageOfSelection(frameInfo: FrameInfo): string | undefined {
  const next = nextPageAfterRegistration(frameInfo);
  return next === paths.selectFrame ? undefined : next;
}

function nextPage(frameInfo: FrameInfo | undefined, withoutOrders: string): string {
  if (!frameInfo) return paths.upload;
  const { frames, deviceCount, hasFrames, hasOrders } = frameInfo;
  const [first] = frames;
  if (hasFrames && deviceCount === 1 && first) return paths.uploadTo(first.id);
  if (hasFrames && deviceCount > 1) return paths.selectFrame;
  return hasOrders ? paths.deviceSetupPending : withoutOrders;
}

/** The customer's frames, fresh for 30 seconds. */
export const framesQuery = () => ({ ...query('/api/customer/frames'), staleTime: 30_000 });

/** Ask the shop for the frames, or undefined when it cannot be asked. */
export async function findFrameInfo(queryClient: QueryClient): Promise<FrameInfo | undefined> {
  try {
    return (await queryClient.fetchQuery(framesQuery())).frameInfo;
  } catch {
    return undefined;
  }
}
