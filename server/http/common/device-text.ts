/**
 * The first match is the browser. The order matters, because the user agent of a browser also contains names of other
 * browsers.
 */
const browsers = [
  ['Edge', /\bEdg(A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
] as const;
const machines = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Chromebook', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

/**
 * Returns a readable name for a user agent, such as `Chrome on Windows`, or null if neither browser nor device is
 * known.
 */
export function describeDevice(userAgent: string | undefined): string | null {
  if (userAgent === undefined) return null;
  const [browser, machine] = [browsers, machines].map((all) => all.find(([, mark]) => mark.test(userAgent))?.[0]);
  if (browser && machine) return `${browser} on ${machine}`;
  return browser ?? machine ?? null;
}
