import { send } from '../../data/api.ts';
import { followPayment } from '../../checkout/verify-payment.ts';

/** Ask the shop about an add-on's payment until it says yes or no, as checkout does. True once it is paid. */
export async function followAddon(
  paymentIntentId: string,
  following: { signal: AbortSignal; onWaiting: () => void },
): Promise<{ message: string; deviceId: string | undefined } | 'processing'> {
  let said = { message: '', deviceId: undefined as string | undefined };
  const verify = async (id: string) => {
    const answer = await send('POST /api/verify-addon-payment', { body: { paymentIntentId: id } });
    said = { message: answer.message, deviceId: answer.deviceId };
    return { ...answer, needsRegistration: false };
  };
  const { success } = await followPayment(paymentIntentId, { ...following, verify });
  return success ? said : 'processing';
}
