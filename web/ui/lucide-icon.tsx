import { createElement, type SVGProps } from 'react';

interface IconData {
  node: [tag: string, attributes: Record<string, string>][];
}

/**
 * Stands in for lucide-react's own maker of icons (vite.config.ts), which works out twelve attributes for each icon of
 * each page. The shapes stay lucide's; what they have in common is said once, by `.icon` in styles.css.
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
