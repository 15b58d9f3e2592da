import postcss, { type ChildNode } from 'postcss';
import selectorParser from 'postcss-selector-parser';
import type { StylePart } from '#server/pages/style-parts.ts';

/** A style taken apart, so that a page can be sent what it shows of it (server/pages/style-parts.ts). */
export const stylePartsOf = (css: string): StylePart[] => partsOf(postcss.parse(css).nodes);

/** At-rules that rules stand in; all others are for every page. */
const groups = new Set(['layer', 'media', 'supports', 'container']);

function partsOf(nodes: ChildNode[]): StylePart[] {
  const parts: StylePart[] = [];
  for (const node of nodes) {
    if (node.type === 'comment' || node.type === 'decl') continue;
    if (node.type === 'rule') {
      const anyOf = classesOf(node.selector);
      if (anyOf.every((it) => it.length > 0)) parts.push({ anyOf, text: node.toString() });
      else always(parts, node.toString());
    } else if (node.nodes && groups.has(node.name)) {
      parts.push({ around: `@${node.name} ${node.params}`, parts: partsOf(node.nodes) });
    } else always(parts, node.nodes ? node.toString() : `${node.toString()};`);
  }
  return parts;
}

/** Beside one another they are one. */
function always(parts: StylePart[], text: string): void {
  const last = parts.at(-1);
  if (typeof last === 'string') parts.splice(-1, 1, last + text);
  else parts.push(text);
}

/** The classes that each selector of a list asks for; what stands in `:not()` and its like is not asked. */
const classesOf = (list: string): string[][] =>
  selectorParser()
    .astSync(list)
    .nodes.map((selector) => selector.nodes.flatMap((it) => (it.type === 'class' ? [it.value] : [])));
