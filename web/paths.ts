import type { Cart, CartProduct, ProductId } from '#contract/catalog.ts';
import { stringifySearch } from './search.ts';

/** Separates the order ids in the address of the packing slips. */
export const slipSeparator = '.';

/** The addresses of all pages that links lead to. To change a page's address in all links, change it here. */
export const paths = {
  home: '/',
  howItWorksSection: '/#how-it-works',
  productsSection: '/#products',
  kinframe: '/product/kinframe',
  bundle: '/product/photo2video-10',
  byof: '/product/byof',
  /** The product page with this cart's quantity and extra packages. Leads from checkout back to the choice. */
  choiceOf: ({ productId, quantity, extraPackages }: Cart) =>
    `/product/${productId}${stringifySearch({ quantity: quantity > 1 ? quantity : undefined, extras: extraPackages || undefined })}`,
  /** The reviews of a product. */
  reviewsOf: (productId: ProductId) => `/product/${productId}#reviews`,
  try: '/try',
  howItWorks: '/how-it-works',
  gallery: '/gallery',
  faq: '/faq',
  about: '/about',
  contact: '/contact',
  support: '/support',
  privacy: '/legal/privacy',
  terms: '/legal/terms',
  signIn: '/auth',
  /** `returnTo`: the page after sign-in. */
  signInFor: (returnTo: string) => `/auth${stringifySearch({ returnTo })}`,
  upload: '/upload',
  uploadTo: (frameId: string) => `/upload${stringifySearch({ frameId })}`,
  customerUpload: '/customer-upload',
  signInLink: '/auth/link',
  confirmEmail: (token: string) => `/auth/confirm-email${stringifySearch({ token })}`,
  changeEmail: (token: string) => `/auth/change-email${stringifySearch({ token })}`,
  account: '/account',
  receipt: (id: string) => `/account/erased/${id}`,
  yourPhotos: '/your-photos',
  forgotPassword: '/auth/forgot-password',
  orders: '/orders',
  /** `session`: an order-access token, for a visitor who is not signed in. */
  order: (orderNumber: string, session?: string) => `/orders/${orderNumber}${stringifySearch({ session })}`,
  giftCards: '/gift-cards',
  selectFrame: '/select-frame',
  deviceSetupPending: '/device-setup-pending',
  purchaseRequired: '/purchase-required',
  uploadComplete: (how: 'finalized' | 'comeback') => `/upload-complete${stringifySearch({ [how]: true })}`,
  chooseProduct: '/?select-product=true',
  connect: (frameId?: string) => `/connect${stringifySearch({ frameId })}`,
  connectionGuide: '/guides/connect-your-frame',
  connectionGuidePdf: '/guides/connect-your-frame.pdf',
  sandbox: '/sandbox',
  adminLogin: '/admin-login',
  adminSessionEnded: (why: 'removed' | 'role-changed' | 'true' = 'true') => `/admin-login?ended=${why}`,
  admin: '/admin',
  packingSlips: (orderIds: readonly string[]) =>
    `/admin/packing-slips${stringifySearch({ orders: orderIds.join(slipSeparator) })}`,
  labelAddresses: (orderIds: readonly string[]) =>
    `/api/admin/shipping-addresses.csv${stringifySearch({ orders: orderIds.join(slipSeparator) })}`,
  giftReceipt: (orderId: string) => `/admin/gift-receipt/${orderId}`,
  customerDetails: ({ productId, quantity, extraPackages }: Cart) =>
    `/customer-details${stringifySearch({ product: productId, quantity, extras: extraPackages })}`,
  checkout: ({ productId, quantity, extraPackages }: Cart) =>
    `/checkout${stringifySearch({ product: productId, quantity, extras: extraPackages, step: 'payment' })}`,
  /** `session`: an order-access token, which gives access to the order's summary without a sign-in. */
  purchaseSuccess: (session?: string) => `/purchase-success${stringifySearch({ session })}`,
  uploadWithSession: (session?: string) => `/upload${stringifySearch({ session })}`,
  addonCheckout: ({ deviceId, deviceName, quantity }: { deviceId: string; deviceName: string; quantity: number }) =>
    `/addon-checkout${stringifySearch({ device: deviceId, deviceName, quantity })}`,
  addonReturn: (addon: 'success' | 'cancelled', frameId?: string) => `/upload${stringifySearch({ addon, frameId })}`,
  paymentSuccess: '/payment-success',
  completeRegistration: '/complete-registration',
  /** The start of the checkout for one product without extras. */
  buy: (productId: CartProduct) => paths.customerDetails({ productId, quantity: 1, extraPackages: 0 }),
} as const;
