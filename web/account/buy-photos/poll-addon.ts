import { send } from '../../data/api.ts';
import { pollPayment } from '../../checkout/verify-payment.ts';

/**
 * Polls the shop until the payment of extra packages succeeds or fails, at the intervals of checkout. Returns
 * `processing` if the bank has not decided after about four minutes.
 */
export async function pollAddonPayment(
  paymentIntentId: string,
  following: { signal: AbortSignal; onWaiting: () => void },
): Promise<{ message: string; deviceId: string | undefined } | 'processing'> {
  let latest = { message: '', deviceId: undefined as string | undefined };
  const verify = async (id: string) => {
    const verifyResponse = await send('POST /api/verify-addon-payment', { body: { paymentIntentId: id } });
    latest = { message: verifyResponse.message, deviceId: verifyResponse.deviceId };
    return { ...verifyResponse, needsRegistration: false };
  };
  const { success } = await pollPayment(paymentIntentId, { ...following, verify });
  return success ? latest : 'processing';
}
