/**
 * A part of a stylesheet, as the build writes it: text for every page, text for pages with certain classes, or a group
 * of parts.
 */
export type StylePart =
  | string
  /**
   * Each entry of `anyOf` has the classes of one selector. The part applies if the page has all classes of one entry.
   */
  | { anyOf: string[][]; text: string }
  /** Parts inside a condition such as `@media (hover: hover)`. */
  | { around: string; parts: StylePart[] };

/**
 * Returns the part of a stylesheet that the elements of a page can use. It has about half the bytes, so fonts and
 * pictures can load earlier.
 */
export function selectUsedStyles(html: string, parts: StylePart[]): string {
  const classes = new Set<string>();
  for (const [, names = ''] of html.matchAll(/\sclass="([^"]*)"/g))
    for (const name of names.split(' ')) classes.add(unescapeHtml(name));
  return writeStyles(parts, classes);
}

const writeStyles = (parts: StylePart[], classes: Set<string>): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('text' in part) return part.anyOf.some((names) => names.every((it) => classes.has(it))) ? part.text : '';
      const innerStyles = writeStyles(part.parts, classes);
      return innerStyles && `${part.around}{${innerStyles}}`;
    })
    .join('');

const characterOfEntity: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
/** Reverses the escaping that React applies to an attribute. */
const unescapeHtml = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => characterOfEntity[name]!);
