import { Menu, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { paths } from '../paths.ts';
import { rememberScrollTarget, scrollToSection } from '../scroll-target.ts';
import { preferredScrollBehavior } from '../ui/media-queries.ts';
import { LinkButton } from '../ui/button.tsx';
import { joinClassNames } from '../ui/classes.ts';
import { Link } from '../ui/link.tsx';
import { useAddress, useNavigation } from '../ui/navigation.tsx';
import { Wordmark } from './wordmark.tsx';

const menuEntries = [
  { words: 'Home', to: paths.home },
  { words: 'How It Works', to: paths.howItWorksSection },
  { words: 'Gallery', to: paths.gallery },
  { words: 'FAQ', to: paths.faq },
  { words: 'About', to: paths.about },
  { words: 'Support', to: paths.support },
  { words: 'My Uploads', to: paths.upload },
] as const;

/**
 * On these pages the header's buy button has the primary look. On other pages visitors pay, upload or watch, so the
 * button is less prominent. `admin` is in the list because the admin panel shows previews of these pages.
 */
const pagesForChoosing = /^\/($|product\/|gallery|faq|about|how-it-works|support|contact|legal|your-photos|admin)/;

/** The header is the same for every visitor, because public pages are rendered once for everyone. */
export function Header({ name }: { name: string }) {
  const { pathname } = useAddress();
  const { inPlace } = useNavigation();
  // Store the page on which the menu was opened. On any other page the menu then counts as closed.
  const [openOn, setOpenOn] = useState<string>();
  const isOpen = openOn === pathname;
  const close = () => setOpenOn(undefined);
  const toggleRef = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpenOn(undefined);
      toggleRef.current?.focus();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [isOpen]);

  /**
   * The click handler of links to the home page and its sections. On the home page, it scrolls to the section. On other
   * pages, the link opens the home page. After a page load, the browser scrolls to the section. Without a page load,
   * the home page scrolls there, so store the section for it.
   */
  const createLinkHandler = (to: string) => (event: React.MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    close();
    const section = to.split('#')[1];
    if (pathname !== paths.home) {
      if (section && inPlace) rememberScrollTarget(section);
      return;
    }
    if (section) {
      event.preventDefault();
      scrollToSection(section);
    } else if (to === paths.home) {
      // Scroll instead of navigating to the current page. A navigation would first restore the old scroll position.
      event.preventDefault();
      window.scrollTo({ top: 0, behavior: preferredScrollBehavior() });
    }
  };

  const renderLinks = (className: string) =>
    menuEntries.map(({ words, to }) => (
      <li key={to}>
        <Link
          to={to}
          onClick={createLinkHandler(to)}
          className={joinClassNames(className, to === pathname && 'text-accent-deep')}
          {...(to === pathname && { 'aria-current': 'page' as const })}
        >
          {words}
        </Link>
      </li>
    ));

  return (
    <header
      // Close the menu when the focus leaves it, so that it does not cover the focused element.
      onBlur={({ currentTarget, relatedTarget }) => {
        if (isOpen && relatedTarget && !currentTarget.contains(relatedTarget)) close();
      }}
      className="print:hidden sticky top-0 z-40 border-b border-hair bg-paper/95 backdrop-blur-sm"
    >
      <div className="wrap flex h-18 items-center justify-between gap-4">
        <Link to={paths.home} onClick={createLinkHandler(paths.home)} aria-label={`${name}, home`} className="py-2">
          <Wordmark name={name} />
        </Link>
        <nav aria-label="Main" className="hidden xl:block">
          <ul className="flex items-center">
            {renderLinks(
              'flex min-h-11 items-center rounded-full px-4 text-[0.9875rem] font-medium transition-colors hover:text-accent-deep',
            )}
          </ul>
        </nav>
        <div className="flex items-center gap-2">
          <LinkButton
            size="small"
            look={pagesForChoosing.test(pathname) ? 'primary' : 'secondary'}
            to={paths.productsSection}
            onClick={createLinkHandler(paths.productsSection)}
            className="px-5"
          >
            Buy now
          </LinkButton>
          <noscript>
            <a href="#site-links" className="link inline-flex min-h-11 items-center px-2 font-semibold xl:hidden">
              Menu
            </a>
          </noscript>
          <button
            ref={toggleRef}
            type="button"
            aria-expanded={isOpen}
            aria-controls="mobile-menu"
            aria-label={isOpen ? 'Close menu' : 'Open menu'}
            onClick={() => setOpenOn(isOpen ? undefined : pathname)}
            className="needs-script grid size-11 place-items-center rounded-full transition-colors hover:bg-linen focus-visible:rounded-full xl:hidden"
          >
            {isOpen ? <X aria-hidden className="size-6" /> : <Menu aria-hidden className="size-6" />}
          </button>
        </div>
      </div>
      <nav
        id="mobile-menu"
        aria-label="Menu"
        hidden={!isOpen}
        className="absolute inset-x-0 top-full max-h-[calc(100dvh-4.5rem)] animate-fade overflow-y-auto border-y border-hair bg-paper shadow-lifted xl:hidden"
      >
        {isOpen && (
          <ul className="wrap divide-y divide-hair py-3">
            {renderLinks('flex min-h-14 items-center font-serif text-2xl font-medium')}
          </ul>
        )}
      </nav>
    </header>
  );
}
