import { useQuery } from '@tanstack/react-query';
import type { ProductId } from '#contract/catalog.ts';
import type { Product } from '#contract/content.ts';
import { productsQuery } from '../../data/queries.ts';

/** A product of the catalog. Undefined until the catalog is loaded, and if it has no product with that id. */
export function useProduct(id: ProductId): Product | undefined {
  const { data } = useQuery(productsQuery());
  return findProduct(data, id);
}

export const findProduct = (products: Product[] | undefined, id: ProductId) => products?.find((it) => it.id === id);
