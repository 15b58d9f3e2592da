import { type ApiResponseBody, send } from '../data/api.ts';
import { createPasskey, signPasskeyChallenge } from '../account/passkey.ts';
import { sendWithStepUp } from './step-up/step-up.ts';

/** Creates a passkey on this device, with which the owner can sign in to the panel. */
export async function makeOwnersPasskey(name: string): Promise<ApiResponseBody<'POST /api/admin/passkeys'>> {
  const options = await sendWithStepUp('POST /api/admin/passkeys/options');
  const registration = await createPasskey(options);
  return sendWithStepUp('POST /api/admin/passkeys', { body: { name, answer: registration } });
}

/** Signs with a passkey of this device, for the sign-in or a step-up. */
export const signAsOwner = async () => signPasskeyChallenge(await send('POST /api/admin/auth/passkey/options'));
