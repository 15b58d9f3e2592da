import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { send } from '../../data/api.ts';
import { errorText, isRefusal } from '../../data/error-text.ts';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery } from '../limits-query.ts';

export interface AddonReturn {
  addon: 'success' | 'cancelled' | undefined;
  /** The id of the provider's checkout session. */
  sessionId: string | undefined;
}

/**
 * Handles the return to /upload after paying for more photos (specification 2, section 4). The address is not trusted:
 * the shop asks the provider for the result, even if the address says that nothing was paid. `onDone` then removes the
 * params from the address.
 */
export function useAddonReturn({ addon, sessionId }: AddonReturn, onDone: () => void): void {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const checkReturn = useEffectEvent(async () => {
    const verifyResult = sessionId === undefined ? undefined : await verifyAtShop(sessionId);
    if (verifyResult && 'error' in verifyResult) handleSessionEnd(verifyResult.error);
    const notice = createReturnToast(addon, verifyResult);
    if (notice) toast(notice);
    onDone();
    await queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
  });
  useEffect(() => {
    if (addon === undefined) return;
    const timer = setTimeout(() => void checkReturn(), 0);
    return () => clearTimeout(timer);
  }, [addon]);
}

type VerifyResult = { success: boolean; message: string } | { error: unknown };
const verifyAtShop = (sessionId: string): Promise<VerifyResult> =>
  send('POST /api/verify-addon-checkout', { body: { sessionId } }).catch((error: unknown) => ({ error }));

const cancelledNotice = {
  title: 'Purchase cancelled',
  description: 'No photos were bought, and your card wasn’t charged.',
};

function createReturnToast(addon: AddonReturn['addon'], answer: VerifyResult | undefined) {
  if (answer && 'success' in answer)
    return { title: answer.success ? 'Photos added' : 'Payment processing', description: answer.message };
  if (addon === 'cancelled') {
    if (!answer || isRefusal(answer.error, 'payment-not-finished')) return cancelledNotice;
  } else if (!answer) return undefined; // /addon-checkout has already shown the result
  const description = errorText(answer.error, 'Could not verify addon purchase');
  return { title: 'Verification Failed', description, destructive: true };
}
