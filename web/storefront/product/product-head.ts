import type { QueryClient } from '@tanstack/react-query';
import type { ProductId } from '#contract/catalog.ts';
import type { Content } from '#contract/content.ts';
import { productsQuery, reviewsQuery, shippingQuery, stockQuery } from '../../data/queries.ts';
import type { Shop } from '../../page-context.ts';
import { createPageHead } from '../../ui/page-head.ts';
import { createBreadcrumbData, createProductData } from '../structured-data.ts';
import { findProduct } from './use-product.ts';

const names: Record<ProductId, string> = {
  kinframe: 'Kinframe Digital Picture Frame',
  'photo2video-10': '+10 AI Photo Package',
  byof: 'Bring Your Own Frame AI animation service',
};

interface ProductHeadContext {
  queryClient: QueryClient;
  shop: Shop;
  site: Content<'site'>;
  day: string;
}

/**
 * The head of a product's page. Its title and its structured data contain the price. If the owner has removed the
 * product, the title is a built-in name and the head has no price.
 */
export function createProductHead(context: ProductHeadContext, id: ProductId) {
  const product = findProduct(context.queryClient.getQueryData(productsQuery().queryKey), id);
  const reviews = context.queryClient.getQueryData(reviewsQuery(id).queryKey);
  const stock = context.queryClient.getQueryData(stockQuery().queryKey);
  const shippingDays = context.queryClient.getQueryData(shippingQuery().queryKey);
  const isSoldOut = id === 'kinframe' && stock?.framesLeft === 0;
  const path = `/product/${id}`;
  const title = product?.name ?? names[id];
  return createPageHead(context, {
    title: product ? `${title}, $${product.price.toFixed(2)}` : title,
    description: product?.short ?? context.site.description,
    path,
    picture: id,
    pictureAlt: title,
    type: 'product',
    jsonLd: [
      ...(product ? [createProductData(context, product, { reviews, isSoldOut, times: shippingDays })] : []),
      createBreadcrumbData(context, [title, path]),
    ],
  });
}
