import type { Content, Product } from './content.ts';

/** The names of the facts that the owner enters, as labels of the specifications. */
const labels = { size: 'Size', weight: 'Weight', storage: 'Storage', videoLength: 'Video length' } as const;

/**
 * Returns the product with the owner's facts of the frame: first in the specifications, and what is in the box. Facts
 * that are examples say so. They replace specifications with the same label.
 */
export function withFrameFacts(product: Product, facts: Content<'frame'>): Product {
  const markExample = (words: string) => (facts.mark === 'examples' && words ? `${words} (example)` : words);
  const rows = Object.entries(labels).flatMap(([name, label]) => {
    const value = markExample(facts[name as keyof typeof labels]);
    return value ? { label, value } : [];
  });
  const otherSpecs = product.specs.filter(({ label }) => !Object.values<string>(labels).includes(label));
  return { ...product, specs: [...rows, ...otherSpecs], included: markExample(facts.box) || product.included };
}
