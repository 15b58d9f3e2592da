/** What the projects of playwright.config.ts are, for whoever else comes into a test. */
export const desktopScreen = { viewport: { width: 1440, height: 900 } };
export const phoneScreen = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
