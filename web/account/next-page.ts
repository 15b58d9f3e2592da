import type { QueryClient } from '@tanstack/react-query';
import { type Answer, query } from '../data/api.ts';
import { paths } from '../paths.ts';

export type FrameInfo = Answer<'GET /api/customer/frames'>['frameInfo'];
/** What deciding needs to know. */
type Facts = Pick<FrameInfo, 'hasFrames' | 'hasOrders' | 'deviceCount'> & { frames: readonly { id: string }[] };

/** Where a customer goes after signing in (specification 2, section 4). */
export const nextPageAfterSignIn = (info: Facts): string => pageOfFrames(info) ?? paths.upload;

/** The same after finishing registration, where having bought nothing leads to the shop. */
export const nextPageAfterRegistration = (info: Facts): string => pageOfFrames(info) ?? paths.purchaseRequired;

/** What /select-frame does: several frames are a choice to make here, so undefined; anything else leads on. */
export const nextPageOfSelection = (info: Facts): string | undefined => {
  const next = nextPageAfterRegistration(info);
  return next === paths.selectFrame ? undefined : next;
};

function pageOfFrames({ hasFrames, hasOrders, deviceCount, frames }: Facts): string | undefined {
  const [only] = frames;
  if (hasFrames && deviceCount === 1 && only) return paths.uploadTo(only.id);
  if (hasFrames && deviceCount > 1) return paths.selectFrame;
  return hasOrders ? paths.deviceSetupPending : undefined;
}

/** The customer's frames, fresh for 30 seconds. */
export const framesQuery = () => ({ ...query('/api/customer/frames'), staleTime: 30_000 });

/** Ask which frames there are, then decide; when that cannot be asked, /upload. */
export async function findNextPage(queryClient: QueryClient, decide: (info: Facts) => string): Promise<string> {
  try {
    const { frameInfo } = await queryClient.fetchQuery(framesQuery());
    return decide(frameInfo);
  } catch {
    return paths.upload;
  }
}
