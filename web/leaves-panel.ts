const isPanelPath = (path: string) => /^\/admin(-|\/|\?|$)/.test(path);

/**
 * Whether a navigation leads from the admin panel to the shop. It then needs a page load, because the panel's content
 * security policy refuses the script of the payment provider.
 */
export const isLeavingPanel = (from: string, to: string): boolean => isPanelPath(from) && !isPanelPath(to);
