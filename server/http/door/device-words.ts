/** The first that fits names it: every browser claims to be others, too. */
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

/** A browser as its owner would call it, `Chrome on Windows`, from what it says of itself; null where it says nothing known. */
export function deviceWords(userAgent: string | undefined): string | null {
  if (userAgent === undefined) return null;
  const [browser, machine] = [browsers, machines].map((all) => all.find(([, mark]) => mark.test(userAgent))?.[0]);
  if (browser && machine) return `${browser} on ${machine}`;
  return browser ?? machine ?? null;
}
