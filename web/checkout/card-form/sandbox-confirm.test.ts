import { afterEach, expect, it, vi } from 'vitest';
import { confirmAtSandbox, readConfirmation } from './sandbox-confirm.ts';

const anna = {
  firstName: 'Anna',
  lastName: 'Berg',
  email: 'anna@example.com',
  address: { line1: '1 Elm St', city: 'New York', state: 'NY', postalCode: '10001', country: 'US' as const },
};
const request = {
  intent: { clientSecret: 'pi_1_secret_2', paymentIntentId: 'pi_1', provider: 'sandbox' as const },
  card: { number: '4242 4242 4242 4242', expiry: '02 / 40', cvc: '123', postalCode: '' },
  billing: anna,
  returnUrl: 'http://localhost:3000/payment-success',
};

afterEach(() => vi.unstubAllGlobals());

it('sends the card directly to the provider, with the buyer’s details and the return address', async () => {
  const fetch = vi.fn(async (_url: string, _init: { body: URLSearchParams }) => Response.json({ status: 'succeeded' }));
  vi.stubGlobal('fetch', fetch);
  expect(await confirmAtSandbox(request)).toEqual({ outcome: 'succeeded' });
  const [url, { body }] = fetch.mock.calls[0]!;
  expect(url).toBe('/sandbox/stripe/v1/payment_intents/pi_1/confirm');
  expect(Object.fromEntries(body)).toEqual({
    client_secret: 'pi_1_secret_2',
    return_url: 'http://localhost:3000/payment-success',
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '2',
    'payment_method_data[card][exp_year]': '2040',
    'payment_method_data[card][cvc]': '123',
    'payment_method_data[billing_details][name]': 'Anna Berg',
    'payment_method_data[billing_details][email]': 'anna@example.com',
    'payment_method_data[billing_details][address][line1]': '1 Elm St',
    'payment_method_data[billing_details][address][city]': 'New York',
    'payment_method_data[billing_details][address][state]': 'NY',
    'payment_method_data[billing_details][address][postal_code]': '10001',
    'payment_method_data[billing_details][address][country]': 'US',
  });
});

it('returns the bank’s message and the field it refers to', () => {
  const error = { message: 'Your card has expired.', code: 'expired_card', param: 'exp_month' };
  expect(readConfirmation({ error })).toEqual({ outcome: 'refused', words: 'Your card has expired.', field: 'expiry' });
});

it('opens the bank’s page when the bank asks for authentication', () => {
  const navigateTo = vi.fn();
  const authenticationResponse = {
    status: 'requires_action',
    next_action: { redirect_to_url: { url: 'https://bank.example/' } },
  };
  expect(readConfirmation(authenticationResponse, navigateTo)).toEqual({ outcome: 'leaving' });
  expect(navigateTo).toHaveBeenCalledExactlyOnceWith('https://bank.example/');
});

it.each([
  ['succeeded', 'succeeded'],
  ['processing', 'processing'],
  ['canceled', 'replaced'],
  ['requires_capture', 'succeeded'],
  ['requires_payment_method', 'unfinished'],
])('returns the outcome for a %s intent when it is confirmed a second time', (status, outcome) => {
  const error = { message: 'no', code: 'payment_intent_unexpected_state', payment_intent: { status } };
  expect(readConfirmation({ error })).toEqual({ outcome });
});

it('returns unfinished when the status is unknown or shows no payment', () => {
  expect(readConfirmation({ status: 'requires_payment_method' })).toEqual({ outcome: 'unfinished' });
  expect(readConfirmation({})).toEqual({ outcome: 'unfinished' });
});

it.each([
  [() => Response.json({ success: false, message: 'No answer.', error: 'No answer.' }, { status: 503 }), 'No answer.'],
  [() => new Response('<h1>Bad gateway</h1>', { status: 502 }), undefined],
  [
    () => Response.json({ error: { type: 'api_error', message: 'An unknown error occurred' } }, { status: 500 }),
    undefined,
  ],
])(
  'rejects after a failure of the provider, the shop or a proxy, because the card may have been charged',
  async (answer, words) => {
    vi.stubGlobal('fetch', async () => answer());
    await expect(confirmAtSandbox(request)).rejects.toMatchObject({ name: 'ApiError', words });
  },
);
