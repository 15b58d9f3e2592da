import type { QueryClient } from '@tanstack/react-query';
import { type ApiResponseBody, query } from '../data/api.ts';
import { paths } from '../paths.ts';

export type FrameInfo = ApiResponseBody<'GET /api/customer/frames'>['frameInfo'];

/**
 * The page after sign-in or sign-up if no page was remembered (specification 2, section 4). `frameInfo` is undefined if
 * it could not be loaded.
 */
export const findNextPageAfterSignIn = (frameInfo: FrameInfo | undefined) => findNextPage(frameInfo, paths.upload);

/** The page after registration. A customer without a purchase gets a page that shows what to buy. */
export const findNextPageAfterRegistration = (frameInfo: FrameInfo | undefined) =>
  findNextPage(frameInfo, paths.purchaseRequired);

/** The page that /select-frame redirects to. Undefined if the customer has several frames to choose from. */
export function findNextPageOfSelection(frameInfo: FrameInfo): string | undefined {
  const nextPath = findNextPageAfterRegistration(frameInfo);
  return nextPath === paths.selectFrame ? undefined : nextPath;
}

function findNextPage(frameInfo: FrameInfo | undefined, withoutOrders: string): string {
  if (!frameInfo) return paths.upload;
  const { frames, deviceCount, hasFrames, hasOrders } = frameInfo;
  const [first] = frames;
  if (hasFrames && deviceCount === 1 && first) return paths.uploadTo(first.id);
  if (hasFrames && deviceCount > 1) return paths.selectFrame;
  return hasOrders ? paths.deviceSetupPending : withoutOrders;
}

/** The customer's frames, cached for 30 seconds. */
export const framesQuery = () => ({ ...query('/api/customer/frames'), staleTime: 30_000 });

/** Fetches the customer's frames. Returns undefined if the request fails. */
export async function findFrameInfo(queryClient: QueryClient): Promise<FrameInfo | undefined> {
  try {
    return (await queryClient.fetchQuery(framesQuery())).frameInfo;
  } catch {
    return undefined;
  }
}
