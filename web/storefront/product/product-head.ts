import type { QueryClient } from '@tanstack/react-query';
import { money, priceBook, type ProductId } from '#contract/catalog.ts';
import type { Content } from '#contract/content.ts';
import { productsQuery } from '../../data/queries.ts';
import type { Shop } from '../../scope.ts';
import { pageHead } from '../../ui/page-head.ts';
import { breadcrumbs, productData } from '../structured-data.ts';
import { findProduct } from './use-product.ts';

const pages: Record<ProductId, { name: string; priceCents: number }> = {
  kinframe: { name: 'Kinframe Digital Picture Frame', priceCents: priceBook.kinframe },
  'photo2video-10': { name: '+10 AI Photo Package', priceCents: priceBook.extraPackage },
  byof: { name: 'Bring Your Own Frame AI animation service', priceCents: priceBook.byof },
};

interface Context {
  queryClient: QueryClient;
  shop: Shop;
  site: Content<'site'>;
  renderedAt: number;
}

/** The head of a product's page, priced from the price book. A product the owner removed keeps a name, and no offer. */
export function productHead(context: Context, id: ProductId) {
  const product = findProduct(context.queryClient.getQueryData(productsQuery().queryKey), id);
  const { name, priceCents } = pages[id];
  const path = `/product/${id}`;
  const title = product?.name ?? name;
  return pageHead(context, {
    title: `${title}, ${money(priceCents)}`,
    description: product?.short ?? context.site.description,
    path,
    picture: id,
    pictureAlt: title,
    type: 'product',
    jsonLd: [...(product ? [productData(context, product)] : []), breadcrumbs(context, [title, path])],
  });
}
