import type { AnchorHTMLAttributes, FocusEvent, MouseEvent, Ref, TouchEvent } from 'react';
import { type Navigation, useNavigation } from './navigation.tsx';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of this site (from web/paths.ts, or what the owner entered) or an address elsewhere. */
  to: string;
  /** Fetch the page's code and data on hover and focus; on by default. */
  preload?: boolean;
  ref?: Ref<HTMLAnchorElement> | undefined;
}

/**
 * Every link of the site: among routed pages without a load, from a public page and to other sites plainly, and unsafe
 * schemes lead nowhere.
 */
export function Link(props: LinkProps) {
  const { to, preload = true, children, ...rest } = props;
  const { inPlace } = useNavigation();
  if (isOwnPage(to))
    return (
      <a {...rest} href={to} {...(inPlace && handlers(inPlace, props, preload))}>
        {children}
      </a>
    );
  const safe = /^(https?:|mailto:|tel:|#|\/)/i.test(to) ? to : '/';
  return (
    <a href={safe} {...(/^https?:/i.test(safe) && { rel: 'noopener' })} {...rest}>
      {children}
    </a>
  );
}

/** Files and API answers are not pages, although they live on this site. */
const isOwnPage = (to: string) =>
  /^\/(?![/\\])/.test(to) && !/^\/(media|uploads|videos|api|data|assets)\/|\.pdf$/.test(to);

/**
 * What the router's own Link does, without its working out on every render, for each of a page's dozens of links, where
 * it leads and whether we are there.
 */
function handlers({ open, prepare }: Required<Navigation>['inPlace'], props: LinkProps, preload: boolean) {
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
        intend(fetchPage);
      },
      onMouseLeave(event: MouseEvent<HTMLAnchorElement>) {
        props.onMouseLeave?.(event);
        clearTimeout(intention);
      },
      onFocus(event: FocusEvent<HTMLAnchorElement>) {
        props.onFocus?.(event);
        intend(fetchPage);
      },
      onTouchStart(event: TouchEvent<HTMLAnchorElement>) {
        props.onTouchStart?.(event);
        fetchPage();
      },
    }),
  };
}

/** Of all links, a visitor means the one they stay on. */
let intention: ReturnType<typeof setTimeout> | undefined;
function intend(act: () => void) {
  clearTimeout(intention);
  intention = setTimeout(act, 50);
}
