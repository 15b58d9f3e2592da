import { Menu, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { paths } from '../paths.ts';
import { rememberScrollTarget, scrollToSection } from '../scroll-target.ts';
import { gently } from '../ui/media-queries.ts';
import { LinkButton } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Link } from '../ui/link.tsx';
import { useAddress, useNavigation } from '../ui/navigation.tsx';
import { Wordmark } from './wordmark.tsx';

const entries = [
  { words: 'Home', to: paths.home },
  { words: 'How It Works', to: paths.howItWorksSection },
  { words: 'Gallery', to: paths.gallery },
  { words: 'FAQ', to: paths.faq },
  { words: 'About', to: paths.about },
  { words: 'Support', to: paths.support },
  { words: 'My Uploads', to: paths.upload },
] as const;

/** Who pays, uploads or watches has bought: there the button stays, and does not call. In the panel it is a preview's. */
const wherePeopleChoose = /^\/($|product\/|gallery|faq|about|how-it-works|support|contact|legal|your-photos|admin)/;

/** The same for every visitor: public pages are rendered once for all. */
export function Header({ name }: { name: string }) {
  const { pathname } = useAddress();
  const { inPlace } = useNavigation();
  // Remembered with its page, so that arriving on another one finds the menu closed.
  const [openOn, setOpenOn] = useState<string>();
  const isOpen = openOn === pathname;
  const close = () => setOpenOn(undefined);
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpenOn(undefined);
      toggle.current?.focus();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [isOpen]);

  /** Links to a section of the home page: scroll when we are there, else go there first; the browser finds it by itself. */
  const visit = (to: string) => (event: React.MouseEvent) => {
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
      // Going to where we are would put the page back to its place half way up.
      event.preventDefault();
      window.scrollTo({ top: 0, behavior: gently() });
    }
  };

  const links = (className: string) =>
    entries.map(({ words, to }) => (
      <li key={to}>
        <Link
          to={to}
          onClick={visit(to)}
          className={classes(className, to === pathname && 'text-accent-deep')}
          {...(to === pathname && { 'aria-current': 'page' as const })}
        >
          {words}
        </Link>
      </li>
    ));

  return (
    <header
      // The menu does not cover what has focus.
      onBlur={({ currentTarget, relatedTarget }) => {
        if (isOpen && relatedTarget && !currentTarget.contains(relatedTarget)) close();
      }}
      className="print:hidden sticky top-0 z-40 border-b border-hair bg-paper/95 backdrop-blur-sm"
    >
      <div className="wrap flex h-18 items-center justify-between gap-4">
        <Link to={paths.home} onClick={visit(paths.home)} aria-label={`${name}, home`} className="py-2">
          <Wordmark name={name} />
        </Link>
        <nav aria-label="Main" className="hidden xl:block">
          <ul className="flex items-center">
            {links(
              'flex min-h-11 items-center rounded-full px-4 text-[0.9875rem] font-medium transition-colors hover:text-accent-deep',
            )}
          </ul>
        </nav>
        <div className="flex items-center gap-2">
          <LinkButton
            size="small"
            look={wherePeopleChoose.test(pathname) ? 'primary' : 'secondary'}
            to={paths.productsSection}
            onClick={visit(paths.productsSection)}
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
            ref={toggle}
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
            {links('flex min-h-14 items-center font-serif text-2xl font-medium')}
          </ul>
        )}
      </nav>
    </header>
  );
}
