import { ApiError } from '../../data/api.ts';
import type { BillingDetails, PaymentAttemptResult, PayableIntent } from './card-form.tsx';
import type { WalletAddress } from './wallet-address.ts';
import type { CardMistakes, CardTexts } from './card-number.ts';
import { extractDigits } from './card-number.ts';

/** The result of a payment attempt at the sandbox. `field` is the card field that caused a refusal, if there is one. */
type SandboxConfirmed = PaymentAttemptResult & { field?: keyof CardMistakes | undefined };

interface Card extends CardTexts {
  /** The card's billing postal code. Empty if it is the postal code of the buyer's address. */
  postalCode: string;
}

/**
 * Confirms an intent. The browser sends the card directly to the sandbox, as Stripe's script sends it to Stripe, so the
 * shop never receives the card.
 */
export async function confirmAtSandbox(request: {
  intent: PayableIntent;
  card: Card;
  /** The details that the buyer entered in the shop. */
  billing?: BillingDetails;
  /** The details from a wallet. */
  wallet?: SandboxWalletDetails;
  returnUrl: string;
}): Promise<SandboxConfirmed> {
  const { clientSecret, paymentIntentId, publishableKey } = request.intent;
  const response = await fetch(`/sandbox/stripe/v1/payment_intents/${encodeURIComponent(paymentIntentId)}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({
      client_secret: clientSecret,
      ...(publishableKey && { key: publishableKey }),
      return_url: request.returnUrl,
      ...toCardFields(request.card),
      ...(request.billing && toBillingFields(request.billing, request.card.postalCode)),
      ...(request.wallet && toWalletFields(request.wallet)),
    }),
  });
  const text = await response.text();
  const confirmResponse = parseProviderResponse(text);
  if (!confirmResponse) throw new ApiError(response.status, text);
  // Do not use the provider's message about an internal failure, because it does not help the buyer.
  if (response.status >= 500) throw new ApiError(response.status, '');
  return readConfirmation(confirmResponse);
}

interface SandboxWalletDetails {
  name: string;
  email: string;
  shipping?: { name: string; address: WalletAddress };
}

/** A wallet gives the shipping address to the provider itself. */
function toWalletFields({ name, email, shipping }: SandboxWalletDetails): Record<string, string> {
  const addressEntries = Object.entries(shipping?.address ?? {}).filter((pair): pair is [string, string] =>
    Boolean(pair[1]),
  );
  return {
    'payment_method_data[billing_details][name]': name,
    'payment_method_data[billing_details][email]': email,
    ...(shipping && { 'shipping[name]': shipping.name }),
    ...Object.fromEntries(addressEntries.map(([field, value]) => [`shipping[address][${field}]`, value])),
  };
}

/** Returns undefined if the response does not come from the provider, but is an error of the shop or a proxy's page. */
function parseProviderResponse(text: string): SandboxConfirmResponse | undefined {
  try {
    const confirmResponse = JSON.parse(text) as SandboxConfirmResponse | { error: string };
    return typeof confirmResponse.error === 'string' ? undefined : (confirmResponse as SandboxConfirmResponse);
  } catch {
    return undefined;
  }
}

export interface SandboxConfirmResponse {
  status?: string;
  next_action?: { redirect_to_url?: { url?: string } } | null;
  error?: { message?: string; code?: string; param?: string; payment_intent?: { status?: string } };
}

/** Converts the provider's response to a result. Opens the bank's page if the bank asks for authentication. */
export function readConfirmation(
  answer: SandboxConfirmResponse,
  leaveTo = (url: string) => location.assign(url),
): SandboxConfirmed {
  const { error } = answer;
  if (error) {
    // The intent was already paid or canceled, by another tab or by an attempt whose response was lost.
    if (error.code === 'payment_intent_unexpected_state') return toPaymentResult(error.payment_intent?.status);
    const field = fieldsByParam[error.param ?? ''];
    return { outcome: 'refused', words: error.message ?? 'Your card was declined.', field };
  }
  const url = answer.next_action?.redirect_to_url?.url;
  if (answer.status === 'requires_action' && url) {
    leaveTo(url);
    return { outcome: 'leaving' };
  }
  return toPaymentResult(answer.status);
}

function toPaymentResult(status: string | undefined): PaymentAttemptResult {
  switch (status) {
    case 'succeeded':
    case 'processing':
      return { outcome: status };
    case 'requires_capture':
      return { outcome: 'succeeded' }; // only authorized; the shop captures the payment when it verifies it
    case 'canceled':
      return { outcome: 'replaced' };
    default:
      return { outcome: 'unfinished' };
  }
}

const fieldsByParam: Partial<Record<string, keyof CardMistakes>> = {
  number: 'number',
  exp_month: 'expiry',
  exp_year: 'expiry',
  cvc: 'cvc',
};

function toCardFields({ number, expiry, cvc }: CardTexts): Record<string, string> {
  const digits = extractDigits(expiry);
  return {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': extractDigits(number),
    'payment_method_data[card][exp_month]': String(Number(digits.slice(0, 2))),
    'payment_method_data[card][exp_year]': `20${digits.slice(2)}`,
    'payment_method_data[card][cvc]': extractDigits(cvc),
  };
}

function toBillingFields(
  { firstName, lastName, email, phone, address, taxLocation }: BillingDetails,
  cardPostalCode: string,
) {
  const billingAddress = address ?? taxLocation;
  const postalCode = cardPostalCode.trim() || billingAddress?.postalCode;
  const billingValues = {
    '[name]': `${firstName} ${lastName}`,
    '[email]': email,
    '[phone]': phone,
    '[address][line1]': address?.line1,
    '[address][line2]': address?.line2,
    '[address][city]': address?.city,
    '[address][state]': address?.state,
    '[address][postal_code]': postalCode,
    '[address][country]': billingAddress?.country,
  };
  return Object.fromEntries(
    Object.entries(billingValues)
      .filter((pair): pair is [string, string] => Boolean(pair[1]))
      .map(([name, value]) => [`payment_method_data[billing_details]${name}`, value]),
  );
}
