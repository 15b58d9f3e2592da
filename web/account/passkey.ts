import { type Answer, send } from '../data/api.ts';

/** The person closed their device's dialog, or it ran out of time: nothing to tell them. */
export class PasskeyCancelled extends Error {
  override name = 'PasskeyCancelled';
}

/** Loaded when it is needed: few pages do. */
const library = () => import('@simplewebauthn/browser');

/** Whether this browser knows passkeys at all. */
export const knowsPasskeys = (): boolean => typeof PublicKeyCredential === 'function';

const orCancelled = (error: unknown): never => {
  const { name } = error as Error;
  throw name === 'NotAllowedError' || name === 'AbortError' ? new PasskeyCancelled('', { cause: error }) : error;
};

/** Have this device make a passkey, and keep it under a name that says which one it is. */
export async function makePasskey(before: number): Promise<Answer<'POST /api/account/passkeys'>> {
  const options = await send('POST /api/account/passkeys/options');
  const { startRegistration } = await library();
  const answer = await startRegistration({ optionsJSON: options as never }).catch(orCancelled);
  const name = before === 0 ? 'My passkey' : `My passkey ${before + 1}`;
  return send('POST /api/account/passkeys', { body: { name, answer } });
}

/**
 * Sign in with a passkey of this device.
 *
 * @param isOffered among what the browser fills in at the e-mail, for as long as the page stands; else asked for at once
 */
export async function signInByPasskey({ isOffered }: { isOffered: boolean }) {
  const answer = await devicesAnswer(isOffered).catch((error: unknown) => {
    // What was only offered fails unseen, unless somebody took it up.
    throw isOffered ? new PasskeyCancelled('', { cause: error }) : error;
  });
  return send('POST /api/auth/passkey/login', { body: { answer } });
}

async function devicesAnswer(isOffered: boolean) {
  const { startAuthentication } = await library();
  const options = await send('POST /api/auth/passkey/options');
  return startAuthentication({ optionsJSON: options as never, useBrowserAutofill: isOffered }).catch(orCancelled);
}

/** Whether the browser offers passkeys where it fills in e-mails. */
export const offersPasskeys = async (): Promise<boolean> =>
  knowsPasskeys() && (await library()).browserSupportsWebAuthnAutofill();

/** Leave off waiting for the device: the page goes. */
export const stopPasskeys = async (): Promise<void> => {
  if (knowsPasskeys()) (await library()).WebAuthnAbortService.cancelCeremony();
};
