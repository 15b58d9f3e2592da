import { isDeepStrictEqual } from 'node:util';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { waitForHydration, expect, expectAccessible, signInAsOwner, test } from './fixtures.ts';

interface PublicPage {
  path: string;
  status?: number;
  title: string;
  h1: string;
  /** The other headings, in order. */
  headings: string[];
  /** The types of the structured data. */
  types: string[];
}

const pages: PublicPage[] = [
  {
    path: '/',
    title: 'Kinframe | Family photos, gently brought to life',
    h1: 'The photos you love, moving again.',
    headings: ['How it works', 'Choose your package', 'Before, and after', 'Good questions'],
    types: ['Organization'],
  },
  {
    path: '/product/kinframe',
    title: 'Kinframe Digital Picture Frame, $199.00 | Kinframe',
    h1: 'Kinframe Digital Picture Frame',
    headings: ['Specifications', 'Already own a Wi-Fi frame?'],
    types: ['Product', 'BreadcrumbList'],
  },
  {
    path: '/product/photo2video-10',
    title: '+10 AI Photo Package, $9.99 | Kinframe',
    h1: '+10 AI Photo Package',
    headings: ["What's Included", 'How it works'],
    types: ['Product', 'BreadcrumbList'],
  },
  {
    path: '/product/byof',
    title: 'Bring Your Own Frame AI animation service, $49.99 | Kinframe',
    h1: 'Bring Your Own Frame AI animation service',
    headings: [
      "What's Included",
      'Compatible Frames',
      'How it Works',
      'How to Connect Your Frame',
      'Service Specifications',
    ],
    types: ['Product', 'BreadcrumbList'],
  },
  {
    path: '/try',
    title: 'Try it with your own photo | Kinframe',
    h1: 'Try it with your own photo',
    headings: ['Which photo should come to life?'],
    types: ['BreadcrumbList'],
  },
  {
    path: '/how-it-works',
    title: 'How it works | Kinframe',
    h1: 'From a still photo to a small, living scene.',
    headings: ['Three steps', 'The technology, in plain words', 'Most common questions'],
    types: ['BreadcrumbList'],
  },
  {
    path: '/gallery',
    title: 'Gallery: before and after | Kinframe',
    h1: 'Before, and alive.',
    headings: ['Kite at the lake', 'Family portraits', 'Special moments', 'Vintage photos'],
    types: ['BreadcrumbList'],
  },
  {
    path: '/faq',
    title: 'Frequently asked questions | Kinframe',
    h1: 'Frequently asked questions',
    headings: ['What exactly do I get?', 'Still wondering?'],
    types: ['FAQPage', 'BreadcrumbList'],
  },
  {
    path: '/about',
    title: 'About us | Kinframe',
    h1: 'We keep families moving.',
    headings: [
      'It began with a shoebox',
      'Oak, paper white, and a quiet screen',
      'Made to be given',
      'Yours, and only yours',
      'Days, not weeks',
      'A small team that answers',
      'Which twenty would you choose?',
    ],
    types: ['Organization', 'BreadcrumbList'],
  },
  {
    path: '/contact',
    title: 'Contact us | Kinframe',
    h1: 'Say hello',
    headings: ['By email', 'About an order?'],
    types: ['BreadcrumbList'],
  },
  {
    path: '/support',
    title: 'Support | Kinframe',
    h1: 'How can we help?',
    headings: ['Quick answers'],
    types: ['BreadcrumbList'],
  },
  {
    path: '/your-photos',
    title: 'Your photos and privacy | Kinframe',
    h1: 'How we keep your photos private',
    headings: ['Who can see your photos', 'What you decide'],
    types: ['BreadcrumbList'],
  },
  {
    path: '/legal/privacy',
    title: 'Privacy Policy | Kinframe',
    h1: 'Privacy Policy',
    headings: ['What we collect', 'Cookies', 'Children'],
    types: ['BreadcrumbList'],
  },
  {
    path: '/legal/terms',
    title: 'Terms of Service | Kinframe',
    h1: 'Terms of Service',
    headings: ['Returns and refunds', 'Warranty'],
    types: ['BreadcrumbList'],
  },
  {
    path: '/nothing-here',
    status: 404,
    title: 'Page not found | Kinframe',
    h1: 'This page is out of the picture',
    headings: [],
    types: [],
  },
];

for (const { path, status = 200, title, h1, headings } of pages)
  test(`${path} is complete without scripts, fits the screen and is accessible @phone`, async ({ page }) => {
    const pageResponse = await page.goto(path);
    expect(pageResponse?.status()).toBe(status);
    // The server's HTML already contains this text.
    const sentText = extractText(await pageResponse!.text());
    for (const text of [h1, ...headings]) expect(sentText).toContain(text);
    await expect(page).toHaveTitle(title);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(h1);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    for (const name of headings) await expect(page.getByRole('heading', { name }).first()).toBeVisible();
    await expect(page.getByRole('contentinfo')).toBeAttached();
    await expect(page.getByText('Last updated: December 20, 2024')).toHaveCount(path.startsWith('/legal') ? 1 : 0);
    await waitForHydration(page); // wait, because the purchase bar of a product page would appear during the check
    await expectAccessible(page);
  });

test('only unknown addresses get the cached not-found page', async ({ request }) => {
  const fetchTextAt = async (path: string) => extractText(await (await request.get(path)).text());
  for (const path of [
    '/nothing/here',
    '/product',
    '/delivery',
    '/delivery/a/b',
    '/index.html',
    '/$token',
    '/%E4%BD%A0',
  ]) {
    const response = await request.get(path);
    expect([response.status(), response.headers()['vary']], path).toEqual([404, 'accept-encoding']); // these headers mean that the cached page was sent
    expect(await fetchTextAt(path)).toContain('This page is out of the picture');
  }
  for (const path of ['/Gallery', '/gallery/', '/delivery/a', '/auth/login', '/orders', '/guides/connect-your-frame'])
    expect(await fetchTextAt(path), path).not.toContain('out of the picture');
});

test('built files are compressed, support ranges and are cached; missing ones get the not-found page', async ({
  request,
}) => {
  const html = await (await request.get('/about')).text();
  const scriptPath = /"(\/assets\/[^"]+\.js)"/.exec(html)![1]!;
  const compressedResponse = await request.get(scriptPath, { headers: { 'accept-encoding': 'br' } });
  expect(compressedResponse.headers()).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': expect.stringContaining('javascript'),
  });
  const picturePath = '/media/brand/empty-800.webp';
  const partResponse = await request.get(picturePath, { headers: { range: 'bytes=0-99' } });
  expect([partResponse.status(), (await partResponse.body()).length]).toEqual([206, 100]);
  const wholeResponse = await request.head(picturePath);
  expect(wholeResponse.headers()).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=3600',
  });
  const notModifiedResponse = await request.get(picturePath, {
    headers: { 'if-none-match': wholeResponse.headers()['etag']! },
  });
  expect(notModifiedResponse.status()).toBe(304);
  expect((await request.get('/play/worker.js')).headers()['content-type']).toContain('javascript');
  for (const path of ['/assets/', '/assets/gone.js', `${scriptPath}.br`, '/media', '/media/brand']) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(404);
    expect(await response.text(), path).toContain('out of the picture');
  }
  // An encoded slash is refused before any page is rendered.
  const encodedResponse = await request.get('/media/..%2fplay/worker.js');
  expect([encodedResponse.status(), await encodedResponse.text()]).toEqual([404, 'We couldn’t find that.']);
});

test('the connection guide is a page, and can be downloaded as a PDF', async ({ page }) => {
  await page.goto('/guides/connect-your-frame');
  await expect(page.getByRole('heading', { name: 'How to connect your frame', level: 1 })).toBeVisible();
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save as PDF' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('how-to-connect-your-frame.pdf');
});

test('every page has metadata for search engines and social sites', async ({ request, baseURL }) => {
  const pictures = new Set<string>();
  for (const { path, types, status } of pages) {
    const address = `${baseURL}${status === 404 ? '/404' : path}`; // one page for all missing addresses
    const html = await (await request.get(path)).text();
    const createMetaPattern = (name: string) =>
      new RegExp(`<meta (?:name|property)="${name}" content="([^"]+)"`).exec(html)?.[1];
    const title = extractText(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '');
    expect(createMetaPattern('description')?.length, path).toBeGreaterThan(30);
    expect(/<link rel="canonical" href="([^"]+)"/.exec(html)?.[1]).toBe(address);
    expect(createMetaPattern('og:url')).toBe(address);
    expect(extractText(createMetaPattern('og:title') ?? '')).toBe(title);
    expect(createMetaPattern('og:description')).toBe(createMetaPattern('description'));
    expect(createMetaPattern('og:site_name')).toBe('Kinframe');
    expect(createMetaPattern('twitter:card')).toBe('summary_large_image');
    expect(createMetaPattern('twitter:image')).toBe(createMetaPattern('og:image'));
    expect(createMetaPattern('og:image')).toMatch(/^http/);
    pictures.add(createMetaPattern('og:image')!);
    const data = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(
      (it) => JSON.parse(it[1]!) as Record<string, unknown>,
    );
    expect(
      data.map((it) => it['@type']),
      path,
    ).toEqual(types);
    for (const structuredItem of data) {
      expect(structuredItem['@context']).toBe('https://schema.org');
      for (const url of findAddresses(structuredItem)) expect(URL.canParse(url), url).toBe(true);
    }
  }
  for (const url of pictures) {
    const { width, height, format } = await sharp(await (await request.get(url)).body()).metadata();
    expect({ url, width, height, format }).toEqual({ url, width: 1200, height: 630, format: 'jpeg' });
  }
});

test('private pages and missing pages are kept out of search engines', async ({ request }) => {
  for (const path of ['/customer-details', '/upload', '/purchase-success', '/nothing-here'])
    expect(await (await request.get(path)).text()).toContain('<meta name="robots" content="noindex"/>');
});

test('the site map, robots.txt, the manifest and the icons exist and refer to each other', async ({
  request,
  baseURL,
}) => {
  const sitemapXml = await (await request.get('/sitemap.xml')).text();
  const listedPaths = [...sitemapXml.matchAll(/<loc>([^<]+)<\/loc>/g)].map((it) => it[1]!.slice(baseURL!.length));
  const knownPages = pages.filter((it) => it.status === undefined).map((it) => it.path);
  expect(isDeepStrictEqual(listedPaths.toSorted(), knownPages.toSorted()), listedPaths.join(' ')).toBe(true);

  const robotsText = await (await request.get('/robots.txt')).text();
  expect(robotsText).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
  expect(robotsText).toContain('Disallow: /admin');
  for (const path of knownPages) expect(robotsText).not.toContain(`Disallow: ${path}\n`);

  const homePageHtml = await (await request.get('/')).text();
  const linkedFiles = [...homePageHtml.matchAll(/<link rel="(icon|apple-touch-icon|manifest)" href="([^"]+)"/g)].map(
    (it) => it[2]!,
  );
  expect(linkedFiles.toSorted()).toEqual([
    '/apple-touch-icon.png',
    '/favicon.ico',
    '/favicon.svg',
    '/site.webmanifest',
  ]);
  for (const url of linkedFiles) expect((await request.get(url)).status(), url).toBe(200);
  const manifest = (await (await request.get('/site.webmanifest')).json()) as {
    name: string;
    icons: { src: string; sizes: string }[];
  };
  expect(manifest.name).toBe('Kinframe');
  for (const { src, sizes } of manifest.icons) {
    const { width, height } = await sharp(await (await request.get(src)).body()).metadata();
    expect(`${width}x${height}`).toBe(sizes);
  }
});

const isRouter = (script: string) => script.includes('/assets/router-');
const hasRouterStarted = (page: Page) => page.evaluate(() => '$_TSR' in window);

// The query makes the server render these pages. The next tests request pages that are cached.
test('public pages with a query string hydrate without the router, and pages that need the router load it', async ({
  page,
}) => {
  const scripts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  const doesLoadRouter = async (path: string) => {
    scripts.length = 0;
    await page.goto(path, { waitUntil: 'networkidle' });
    await waitForHydration(page);
    return scripts.some(isRouter);
  };
  expect(await doesLoadRouter('/auth')).toBe(true);
  for (const { path } of pages.filter((it) => it.status === undefined)) {
    expect(await doesLoadRouter(`${path}?code=GIFT10`), path).toBe(false);
    expect(await hasRouterStarted(page), path).toBe(false);
  }
});

for (const { path } of pages.filter((it) => it.status === undefined))
  test(`the scripts of ${path} are small and do not include the router`, async ({ page }) => {
    const scripts: string[] = [];
    const sizes: Promise<number>[] = [];
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') sizes.push(request.sizes().then((it) => it.responseBodySize));
    });
    await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' });
    await page.goto(path, { waitUntil: 'networkidle' });
    await waitForHydration(page);
    await page.waitForLoadState('networkidle');
    const bytes = (await Promise.all(sizes)).reduce((sum, it) => sum + it, 0);
    expect(bytes).toBeGreaterThan(60_000); // checks that requests were measured at all
    expect(bytes).toBeLessThan(110_000);
    expect(scripts.filter(isRouter)).toEqual([]);
    expect(await hasRouterStarted(page)).toBe(false);
  });

test('back and forward work across public and routed pages', async ({ page }) => {
  const footer = page.getByRole('contentinfo');
  const heading = page.getByRole('heading', { level: 1 });
  await page.goto('/auth');
  await waitForHydration(page);
  const text = (await heading.textContent())!;
  await footer.getByRole('link', { name: 'FAQ' }).click();
  await expect(heading).toHaveText('Frequently asked questions');
  // After the reload, the page has no router, but the history entry was made by a router.
  await page.reload();
  await waitForHydration(page);
  await page.goBack();
  await expect(heading).toHaveText(text);
  await waitForHydration(page);
  await page.goForward();
  await expect(heading).toHaveText('Frequently asked questions');
  await waitForHydration(page);
  await page.evaluate(() => scrollTo({ top: 400, behavior: 'instant' }));
  await footer.getByRole('link', { name: 'About us' }).click();
  await expect(heading).toHaveText('We keep families moving.');
  await waitForHydration(page);
  await page.goBack();
  await expect(heading).toHaveText('Frequently asked questions');
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300);
});

test('a page that is left by a click before hydration is counted once', async ({ browser }) => {
  const ownerPage = await (await browser.newContext()).newPage();
  await signInAsOwner(ownerPage);
  // The first count is sent while the page is left, where the test cannot intercept it. So the test reads the shop's
  // total.
  const countAllViews = async () => {
    const response = await ownerPage.request.get('/api/analytics/page-views');
    return ((await response.json()) as { totalViews: number }).totalViews;
  };
  const viewsBefore = await countAllViews();
  const page = await (await browser.newContext()).newPage();
  // A headless browser identifies itself and is not counted. Playwright's own setting does not apply while a page is
  // left.
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 Chrome/140.0.0.0' }),
  );
  const countNewViews = async () => (await countAllViews()) - viewsBefore;
  await page.goto('/', { waitUntil: 'commit' });
  // Click by script, because the first move of the mouse loads the page's code.
  await page
    .getByRole('link', { name: 'About' })
    .first()
    .evaluate((link: HTMLElement) => link.click());
  await expect(page).toHaveURL('/about');
  await waitForHydration(page);
  await expect.poll(countNewViews).toBe(2);
  await page.goto('/faq');
  await waitForHydration(page);
  await expect.poll(countNewViews).toBe(3);
});

test('a page view is counted on every path, and a failed count does not affect the page', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/ERR_FAILED/);
  const views: unknown[] = [];
  const loggedMessages: string[] = [];
  page.on('console', (message) => loggedMessages.push(message.text()));
  await page.route('**/api/page-views', (route) => {
    views.push(route.request().postDataJSON());
    return views.length > 2 ? route.abort() : route.continue();
  });
  const expectCounted = (count: number) => expect.poll(() => views.length).toBe(count);
  await page.goto('/faq');
  await expectCounted(1);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About' }).click();
  await expect(page).toHaveURL('/about');
  await expectCounted(2);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Support' }).click();
  await expect.poll(() => loggedMessages.some((it) => it.includes('Failed to track page view'))).toBe(true);
  await expect(page.getByRole('heading', { name: 'How can we help?' })).toBeVisible();
  const userAgent = await page.evaluate(() => navigator.userAgent);
  const showAgain = () => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await waitForHydration(page);
  await showAgain(); // as when the browser restores it from the back/forward cache
  await expectCounted(4);
  expect(views).toEqual(
    ['/faq', '/about', '/support', '/support'].map((pagePath) => ({ pagePath, referrer: null, userAgent })),
  );
});

function extractText(html: string): string {
  return html
    .replaceAll(/<script.*?<\/script>/gs, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}

function findAddresses(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) =>
    typeof value === 'string' && ['url', 'image', 'logo', 'item', '@id'].includes(key) ? [value] : findAddresses(value),
  );
}
