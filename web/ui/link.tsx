import type { AnchorHTMLAttributes, FocusEvent, MouseEvent, Ref, TouchEvent } from 'react';
import { type Navigation, useNavigation } from './navigation.tsx';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of this site (from web/paths.ts or entered by the owner), or an address of another site. */
  to: string;
  /** Preload the page's code and data on hover and focus. On by default. */
  preload?: boolean;
  ref?: Ref<HTMLAnchorElement> | undefined;
}

/**
 * Use this component for every link. On routed pages it navigates without a page load. On public pages, and for other
 * sites, it is a plain link. If the address has an unsafe scheme, the link leads to the home page.
 */
export function Link(props: LinkProps) {
  const { to, preload = true, children, ...rest } = props;
  const { inPlace } = useNavigation();
  if (isOwnPage(to))
    return (
      <a {...rest} href={to} {...(inPlace && createHandlers(inPlace, props, preload))}>
        {children}
      </a>
    );
  const safeHref = /^(https?:|mailto:|tel:|#|\/)/i.test(to) ? to : '/';
  return (
    <a href={safeHref} {...(/^https?:/i.test(safeHref) && { rel: 'noopener' })} {...rest}>
      {children}
    </a>
  );
}

/** Files and API addresses are on this site too, but they are not pages. */
const isOwnPage = (to: string) =>
  /^\/(?![/\\])/.test(to) && !/^\/(media|uploads|videos|trials|api|data|assets)\/|\.pdf$/.test(to);

/**
 * Event handlers that do what the router's Link does. They replace it because it is slow: on every render, it computes
 * the address and the active state of each of the dozens of links of a page.
 */
function createHandlers({ open, prepare }: Required<Navigation>['inPlace'], props: LinkProps, preload: boolean) {
  if (import.meta.env.SSR) return;
  const { to, target } = props;
  const fetchPage = () => prepare(to);
  return {
    onClick(event: MouseEvent<HTMLAnchorElement>) {
      props.onClick?.(event);
      const { defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey } = event;
      const isPlain = button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
      if (defaultPrevented || !isPlain || (target && target !== '_self')) return;
      event.preventDefault();
      open(to);
    },
    ...(preload && {
      onMouseEnter(event: MouseEvent<HTMLAnchorElement>) {
        props.onMouseEnter?.(event);
        runAfterHoverDelay(fetchPage);
      },
      onMouseLeave(event: MouseEvent<HTMLAnchorElement>) {
        props.onMouseLeave?.(event);
        clearTimeout(hoverTimer);
      },
      onFocus(event: FocusEvent<HTMLAnchorElement>) {
        props.onFocus?.(event);
        runAfterHoverDelay(fetchPage);
      },
      onTouchStart(event: TouchEvent<HTMLAnchorElement>) {
        props.onTouchStart?.(event);
        fetchPage();
      },
    }),
  };
}

/** The timer of the last hovered or focused link. The page is preloaded if the pointer or focus stays for 50 ms. */
let hoverTimer: ReturnType<typeof setTimeout> | undefined;
function runAfterHoverDelay(act: () => void) {
  clearTimeout(hoverTimer);
  hoverTimer = setTimeout(act, 50);
}
