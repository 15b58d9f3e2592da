import { createElement, type SVGProps } from 'react';

interface IconData {
  node: [tag: string, attributes: Record<string, string>][];
}

/**
 * Replaces lucide-react's createLucideIcon (vite.config.ts), which computes twelve attributes for each icon of each
 * page. The shapes still come from lucide-react. The style that all icons share is `.icon` in styles.css.
 */
export default function createLucideIcon({ node }: IconData) {
  const shape = node.map(([tag, attributes]) => createElement(tag, attributes));
  return function Icon({ className, ...rest }: SVGProps<SVGSVGElement>) {
    return (
      <svg viewBox="0 0 24 24" className={className ? `icon ${className}` : 'icon'} {...rest}>
        {shape}
      </svg>
    );
  };
}
