/** Numbers both sides rely on. Sizes in bytes, times in seconds unless the name says otherwise. */
export const limits = {
  photoBytes: 10 * 1024 * 1024,
  photoMegabytes: 10,
  photoPixels: 60_000_000,
  filesPerRequest: 30,
  invitationCodeCharacters: 200,
  jsonBytes: 1024 * 1024,
  maxFrames: 20,
  maxExtras: 50,
  maxAddonPackages: 10,
  passwordMinimum: 6,
  registrationPasswordMinimum: 8,
  passwordMaximum: 128,
} as const;

/** Calls allowed from one address in a window (security decision 11). */
export const rateLimits = {
  'sign-in': { max: 10, seconds: 900 },
  register: { max: 5, seconds: 3600 },
  'forgot-password': { max: 5, seconds: 3600 },
  'resend-confirmation': { max: 5, seconds: 3600 },
  'reset-password': { max: 10, seconds: 3600 },
  'admin-password': { max: 5, seconds: 900 },
  'token-validation': { max: 20, seconds: 60 },
  'payment-intent': { max: 20, seconds: 600 },
  'promo-code': { max: 30, seconds: 600 },
  'verify-payment': { max: 60, seconds: 600 },
  support: { max: 5, seconds: 3600 },
  'resend-mail': { max: 30, seconds: 600 },
  'page-view': { max: 60, seconds: 60 },
  upload: { max: 120, seconds: 60 },
  other: { max: 300, seconds: 60 },
} as const satisfies Record<string, { max: number; seconds: number }>;

/** How long promises last. */
export const lifetimes = {
  customerSessionIdleDays: 7,
  customerSessionDays: 30,
  adminSessionIdleMinutes: 30,
  adminSessionHours: 12,
  passwordResetHours: 1,
  uploadLinkDays: 7,
  orderAccessDays: 30,
  finishRegistrationDays: 30,
  emailConfirmationDays: 7,
  deliveryDays: 90,
  mailContentMonths: 13,
  checkoutCookieHours: 24,
} as const;
