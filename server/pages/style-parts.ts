/** A part of a style, as the build lays it down: for every page, for pages that have certain classes, or a group of parts. */
export type StylePart =
  | string
  /** `anyOf`: the classes that each of its selectors asks for; one selector that finds all of its own is enough. */
  | { anyOf: string[][]; text: string }
  /** `@media (hover: hover)` and its like around others. */
  | { around: string; parts: StylePart[] };

/** What of a style the elements of a page can show: half the bytes, which its letters and picture wait for. */
export function styleFor(html: string, parts: StylePart[]): string {
  const classes = new Set<string>();
  for (const [, names = ''] of html.matchAll(/\sclass="([^"]*)"/g))
    for (const name of names.split(' ')) classes.add(unescaped(name));
  return written(parts, classes);
}

const written = (parts: StylePart[], classes: Set<string>): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('text' in part) return part.anyOf.some((names) => names.every((it) => classes.has(it))) ? part.text : '';
      const inside = written(part.parts, classes);
      return inside && `${part.around}{${inside}}`;
    })
    .join('');

const letters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
/** As React escapes an attribute. */
const unescaped = (text: string) => text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => letters[name]!);
