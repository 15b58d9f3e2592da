/** Features that no page uses. They are blocked, so that an injected script cannot use them either. */
const unusedFeatures = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'magnetometer',
  'microphone',
  'midi',
  'serial',
  'usb',
  'xr-spatial-tracking',
];
/** Features that our own pages may use, but embedded frames of other sites may not. */
const selfOnlyFeatures = [
  'autoplay',
  'clipboard-write',
  'fullscreen',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
];

/**
 * The Permissions-Policy header, which allows or blocks browser features. Stripe's card form needs the payment feature
 * for Apple Pay.
 */
export const createPermissionsPolicy = ({ isStripe }: { isStripe: boolean }): string =>
  [
    ...unusedFeatures.map((name) => `${name}=()`),
    ...selfOnlyFeatures.map((name) => `${name}=(self)`),
    isStripe ? 'payment=(self "https://js.stripe.com")' : 'payment=()',
  ].join(', ');
