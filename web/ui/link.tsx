import { Link as RouterLink, type LinkComponentProps } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
import { parseSearch } from '../search.ts';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of this site (from web/paths.ts, or what the owner entered) or an address elsewhere. */
  to: string;
  /** Fetch the page's code and data on hover and focus; on by default. */
  preload?: boolean;
  ref?: Ref<HTMLAnchorElement> | undefined;
}

/** Every link of the site: pages change without a reload, other sites open plainly, unsafe schemes lead nowhere. */
export function Link({ to, preload = true, children, ...rest }: LinkProps) {
  if (!isOwnPage(to)) {
    const safe = /^(https?:|mailto:|tel:|#|\/)/i.test(to) ? to : '/';
    return (
      <a href={safe} {...(/^https?:/i.test(safe) && { rel: 'noopener' })} {...rest}>
        {children}
      </a>
    );
  }
  const [, path = '/', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/.exec(to) ?? [];
  // Addresses come from paths.ts and from content, so the router's own checked `to` does not apply here.
  const target = {
    ...rest,
    children,
    to: path,
    search: parseSearch(search),
    ...(hash && { hash }),
    preload: preload ? 'intent' : false,
  } as unknown as LinkComponentProps;
  return <RouterLink {...target} />;
}

/** Files and API answers are not pages, although they live on this site. */
const isOwnPage = (to: string) => /^\/(?![/\\])/.test(to) && !/^\/(media|uploads|api|data|assets)\//.test(to);
