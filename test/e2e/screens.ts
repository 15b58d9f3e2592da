/** The screens of the projects in playwright.config.ts, for further browser contexts in a test. */
export const desktopScreen = { viewport: { width: 1440, height: 900 } };
export const phoneScreen = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
