import type { Content } from '#contract/content.ts';
import { toAsciiText } from '#contract/tidy.ts';
import { paths } from '../paths.ts';
import { Link } from '../ui/link.tsx';
import { isShopsSocialPage } from './social-page.ts';
import { Wordmark } from './wordmark.tsx';

const columns = [
  {
    title: 'Product',
    links: [
      { words: 'The Kinframe', to: paths.kinframe },
      { words: 'Photo package', to: paths.bundle },
      { words: 'Bring Your Own Frame', to: paths.byof },
      { words: 'Gift cards', to: paths.giftCards },
      { words: 'How It Works', to: paths.howItWorks },
      { words: 'Gallery', to: paths.gallery },
    ],
  },
  {
    title: 'Support',
    links: [
      { words: 'Help & support', to: paths.support },
      { words: 'FAQ', to: paths.faq },
      { words: 'Contact', to: paths.contact },
      { words: 'My Uploads', to: paths.upload },
      { words: 'Your orders', to: paths.orders },
      { words: 'About us', to: paths.about },
    ],
  },
  {
    title: 'Legal',
    links: [
      { words: 'Your photos and privacy', to: paths.yourPhotos },
      { words: 'Privacy Policy', to: paths.privacy },
      { words: 'Terms of Service', to: paths.terms },
    ],
  },
];

export function Footer({ site, year }: { site: Content<'site'>; year: number }) {
  const ownSocials = socials.filter(({ address }) => isShopsSocialPage(site[address]));
  return (
    <footer className="print:hidden on-night border-t border-night-soft bg-night text-sand">
      <div
        id="site-links"
        className="wrap grid scroll-mt-18 grid-cols-2 gap-x-4 gap-y-10 pt-16 pb-10 lg:gap-12 lg:grid-cols-[1.6fr_1fr_1fr_1fr]"
      >
        <div className="col-span-2 max-w-sm lg:col-span-1">
          <Link to={paths.home} aria-label={`${site.name}, to the home page`} className="inline-block py-2 text-paper">
            <Wordmark name={site.name} />
          </Link>
          <p className="mt-3 font-serif text-xl leading-snug text-paper">{site.tagline}</p>
          <p className="mt-4">
            <a
              href={`mailto:${site.contactEmail}`}
              className="inline-flex min-h-11 items-center underline underline-offset-4"
            >
              {site.contactEmail}
            </a>
            {site.phone && (
              <>
                <br />
                {/\d/.test(site.phone) ? (
                  <a
                    href={`tel:${toAsciiText(site.phone).replace(/[^+\d]/g, '')}`}
                    className="inline-flex min-h-11 items-center"
                  >
                    {site.phone}
                  </a>
                ) : (
                  site.phone
                )}
              </>
            )}
          </p>
          {ownSocials.length > 0 && (
            <ul aria-label="Social media" className="-ml-3 mt-2 flex gap-1">
              {ownSocials.map(({ name, address, path }) => (
                <li key={name}>
                  <a
                    href={site[address]}
                    rel="noopener"
                    aria-label={name}
                    className="grid size-11 place-items-center rounded-full transition-colors hover:bg-night-soft hover:text-paper"
                  >
                    <svg aria-hidden viewBox="0 0 24 24" className="size-5" fill="currentColor">
                      <path d={path} />
                    </svg>
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
        {columns.map(({ title, links }) => (
          <nav key={title} aria-labelledby={`footer-${title}`} className="max-lg:last:col-span-2">
            <h2 id={`footer-${title}`} className="font-sans text-sm font-semibold tracking-wide text-paper">
              {title}
            </h2>
            <ul className="mt-3">
              {links.map(({ words, to }) => (
                <li key={to}>
                  <Link
                    to={to}
                    preload={to !== paths.upload && to !== paths.orders}
                    className="inline-flex min-h-11 min-w-11 items-center leading-snug transition-colors hover:text-paper"
                  >
                    {words}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <div className="wrap text-sm">
        <p className="border-t border-night-soft py-6">
          © {year} {site.name}. We made every picture and video on this site. None of them belong to a customer.
        </p>
      </div>
    </footer>
  );
}

const socials = [
  {
    name: 'Facebook',
    address: 'facebookUrl',
    path: 'M13.5 21v-7.6h2.6l.4-3h-3V8.5c0-.9.3-1.5 1.5-1.5h1.6V4.3c-.3 0-1.2-.1-2.3-.1-2.3 0-3.9 1.4-3.9 4v2.2H7.8v3h2.6V21z',
  },
  {
    name: 'Instagram',
    address: 'instagramUrl',
    path: 'M8 3h8a5 5 0 0 1 5 5v8a5 5 0 0 1-5 5H8a5 5 0 0 1-5-5V8a5 5 0 0 1 5-5m0 2a3 3 0 0 0-3 3v8a3 3 0 0 0 3 3h8a3 3 0 0 0 3-3V8a3 3 0 0 0-3-3zm4 2.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4m0 2a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4m4.6-3.4a1 1 0 1 1 0 2 1 1 0 0 1 0-2',
  },
  {
    name: 'YouTube',
    address: 'youtubeUrl',
    path: 'M5.5 5.5C7 5.1 12 5.1 12 5.1s5 0 6.5.4a2.6 2.6 0 0 1 1.9 1.9c.4 1.5.4 4.6.4 4.6s0 3.1-.4 4.6a2.6 2.6 0 0 1-1.9 1.9c-1.5.4-6.5.4-6.5.4s-5 0-6.5-.4a2.6 2.6 0 0 1-1.9-1.9C3.2 15.1 3.2 12 3.2 12s0-3.1.4-4.6a2.6 2.6 0 0 1 1.9-1.9M10.2 9.2v5.6L15 12z',
  },
] as const;
