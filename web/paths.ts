import type { Cart, CartProduct, ProductId } from '#contract/catalog.ts';
import { stringifySearch } from './search.ts';

/** Every address a link may lead to, as functions: a renamed page is renamed here once. */
export const paths = {
  home: '/',
  howItWorksSection: '/#how-it-works',
  productsSection: '/#products',
  kinframe: '/product/kinframe',
  bundle: '/product/photo2video-10',
  byof: '/product/byof',
  /** Where a cart was chosen, with what was chosen. */
  choiceOf: ({ productId, quantity, extraPackages }: Cart) =>
    `/product/${productId}${stringifySearch({ quantity: quantity > 1 ? quantity : undefined, extras: extraPackages || undefined })}`,
  /** What buyers say of a product. */
  reviewsOf: (productId: ProductId) => `/product/${productId}#reviews`,
  howItWorks: '/how-it-works',
  gallery: '/gallery',
  faq: '/faq',
  about: '/about',
  contact: '/contact',
  support: '/support',
  privacy: '/legal/privacy',
  terms: '/legal/terms',
  signIn: '/auth',
  /** `returnTo`: where signing in leads. */
  signInFor: (returnTo: string) => `/auth${stringifySearch({ returnTo })}`,
  upload: '/upload',
  uploadTo: (frameId: string) => `/upload${stringifySearch({ frameId })}`,
  customerUpload: '/customer-upload',
  signInLink: '/auth/link',
  account: '/account',
  receipt: (id: string) => `/account/erased/${id}`,
  yourPhotos: '/your-photos',
  forgotPassword: '/auth/forgot-password',
  orders: '/orders',
  /** `session`: an order-access token, for who is not signed in. */
  order: (orderNumber: string, session?: string) => `/orders/${orderNumber}${stringifySearch({ session })}`,
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
  adminSessionEnded: '/admin-login?ended=true',
  admin: '/admin',
  giftReceipt: (orderId: string) => `/admin/gift-receipt/${orderId}`,
  customerDetails: ({ productId, quantity, extraPackages }: Cart) =>
    `/customer-details${stringifySearch({ product: productId, quantity, extras: extraPackages })}`,
  checkout: ({ productId, quantity, extraPackages }: Cart) =>
    `/checkout${stringifySearch({ product: productId, quantity, extras: extraPackages, step: 'payment' })}`,
  /** Pages that an order-access token opens. */
  purchaseSuccess: (session?: string) => `/purchase-success${stringifySearch({ session })}`,
  uploadWithSession: (session?: string) => `/upload${stringifySearch({ session })}`,
  addonCheckout: ({ deviceId, deviceName, quantity }: { deviceId: string; deviceName: string; quantity: number }) =>
    `/addon-checkout${stringifySearch({ device: deviceId, deviceName, quantity })}`,
  addonReturn: (addon: 'success' | 'cancelled', frameId?: string) => `/upload${stringifySearch({ addon, frameId })}`,
  paymentSuccess: '/payment-success',
  completeRegistration: '/complete-registration',
  /** Where a buyer goes to add one cart product with defaults. */
  buy: (productId: CartProduct) => paths.customerDetails({ productId, quantity: 1, extraPackages: 0 }),
} as const;
