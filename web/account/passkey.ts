import { type ApiResponseBody, send } from '../data/api.ts';

/** Thrown when the person closes the passkey dialog of the device, or when it times out. Do not show it as an error. */
export class PasskeyCancelled extends Error {
  override name = 'PasskeyCancelled';
}

/** Loads the passkey library. It is loaded on demand, because few pages need it. */
const loadPasskeyLibrary = () => import('@simplewebauthn/browser');

/** Returns whether this browser supports passkeys. */
export const supportsPasskeys = (): boolean => typeof PublicKeyCredential === 'function';

const rethrowUnlessCancelled = (error: unknown): never => {
  const { name } = error as Error;
  throw name === 'NotAllowedError' || name === 'AbortError' ? new PasskeyCancelled('', { cause: error }) : error;
};

/** Creates a passkey on this device and saves it. Its name has a number if there are `before` other passkeys. */
export async function createAndSavePasskey(before: number): Promise<ApiResponseBody<'POST /api/account/passkeys'>> {
  const registration = await createPasskey(await send('POST /api/account/passkeys/options'));
  const name = before === 0 ? 'My passkey' : `My passkey ${before + 1}`;
  return send('POST /api/account/passkeys', { body: { name, answer: registration } });
}

type Options = Record<string, unknown>;
/** Creates a passkey on this device, with options from the shop. */
export async function createPasskey(options: Options) {
  const { startRegistration } = await loadPasskeyLibrary();
  return startRegistration({ optionsJSON: options as never }).catch(rethrowUnlessCancelled);
}
/** Signs the shop's challenge with a passkey of this device. */
export async function signPasskeyChallenge(options: Options, { isOffered = false } = {}) {
  const { startAuthentication } = await loadPasskeyLibrary();
  return startAuthentication({ optionsJSON: options as never, useBrowserAutofill: isOffered }).catch(
    rethrowUnlessCancelled,
  );
}

/**
 * Signs in with a passkey of this device.
 *
 * @param isOffered true: the browser offers passkeys in the email field's autofill while the page is open. False: the
 * browser opens its passkey dialog at once.
 */
export async function signInByPasskey({ isOffered }: { isOffered: boolean }) {
  const authentication = await signChallengeWithDevice(isOffered).catch((error: unknown) => {
    // Show no error if the browser could not offer passkeys in autofill, because the person has not asked for them.
    throw isOffered ? new PasskeyCancelled('', { cause: error }) : error;
  });
  return send('POST /api/auth/passkey/login', { body: { answer: authentication } });
}

async function signChallengeWithDevice(isOffered: boolean) {
  // Load the library first, so that the challenge does not expire during the load.
  await loadPasskeyLibrary();
  return signPasskeyChallenge(await send('POST /api/auth/passkey/options'), { isOffered });
}

/** Returns whether the browser can offer passkeys in the email field's autofill. */
export const offersPasskeys = async (): Promise<boolean> =>
  supportsPasskeys() && (await loadPasskeyLibrary()).browserSupportsWebAuthnAutofill();

/** Call this when the page closes: stops to offer passkeys in autofill. */
export const stopPasskeyAutofill = async (): Promise<void> => {
  if (supportsPasskeys()) (await loadPasskeyLibrary()).WebAuthnAbortService.cancelCeremony();
};
