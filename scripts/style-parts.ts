import postcss, { type ChildNode } from 'postcss';
import selectorParser from 'postcss-selector-parser';
import type { StylePart } from '#server/pages/style-parts.ts';

/** Splits a stylesheet into parts, so that a page gets only the rules it needs (server/pages/style-parts.ts). */
export const splitStylesheet = (css: string): StylePart[] => createStyleParts(postcss.parse(css).nodes);

/** At-rules that contain style rules. All other at-rules are sent to every page. */
const groups = new Set(['layer', 'media', 'supports', 'container']);

function createStyleParts(nodes: ChildNode[]): StylePart[] {
  const parts: StylePart[] = [];
  for (const node of nodes) {
    if (node.type === 'comment' || node.type === 'decl') continue;
    if (node.type === 'rule') {
      const selectorClasses = findSelectorClasses(node.selector);
      if (selectorClasses.every((it) => it.length > 0)) parts.push({ anyOf: selectorClasses, text: node.toString() });
      else addUnconditionally(parts, node.toString());
    } else if (node.nodes && groups.has(node.name)) {
      parts.push({ around: `@${node.name} ${node.params}`, parts: createStyleParts(node.nodes) });
    } else addUnconditionally(parts, node.nodes ? node.toString() : `${node.toString()};`);
  }
  return parts;
}

/** Adds rules that every page gets. Adjacent parts of this kind are merged. */
function addUnconditionally(parts: StylePart[], text: string): void {
  const lastPart = parts.at(-1);
  if (typeof lastPart === 'string') parts.splice(-1, 1, lastPart + text);
  else parts.push(text);
}

/**
 * Returns the classes that each selector of a list requires. Classes inside `:not()` and similar pseudo-classes are
 * ignored.
 */
const findSelectorClasses = (list: string): string[][] =>
  selectorParser()
    .astSync(list)
    .nodes.map((selector) => selector.nodes.flatMap((it) => (it.type === 'class' ? [it.value] : [])));
