/**
 * The pages that are the same for every visitor, by route id. The route of each page renders the component that is
 * listed here. The browser hydrates these pages without the router (docs/decisions/0084-public-alone.md).
 * build/public-files.ts relies on the order of this list.
 */
export const publicPages = {
  '/': () => import('./storefront/home/home-page.tsx').then((it) => it.HomePage),
  '/product/kinframe': () => import('./storefront/product/kinframe-page.tsx').then((it) => it.KinframePage),
  '/product/byof': () => import('./storefront/product/byof-page.tsx').then((it) => it.ByofPage),
  '/product/photo2video-10': () => import('./storefront/product/bundle-page.tsx').then((it) => it.BundlePage),
  '/try': () => import('./trial/try-page.tsx').then((it) => it.TryPage),
  '/how-it-works': () => import('./storefront/pages/how-it-works-page.tsx').then((it) => it.HowItWorksPage),
  '/gallery': () => import('./storefront/gallery/gallery-page.tsx').then((it) => it.GalleryPage),
  '/faq': () => import('./storefront/pages/faq-page.tsx').then((it) => it.FaqPage),
  '/about': () => import('./storefront/pages/about-page.tsx').then((it) => it.AboutPage),
  '/contact': () => import('./storefront/forms/contact-page.tsx').then((it) => it.ContactPage),
  '/support': () => import('./storefront/forms/support-page.tsx').then((it) => it.SupportPage),
  '/your-photos': () => import('./storefront/trust/your-photos-page.tsx').then((it) => it.YourPhotosPage),
  '/legal/privacy': () => import('./storefront/legal/privacy-page.tsx').then((it) => it.PrivacyPage),
  '/legal/terms': () => import('./storefront/legal/terms-page.tsx').then((it) => it.TermsPage),
};
export type PublicPath = keyof typeof publicPages;
