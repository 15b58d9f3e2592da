import type { Content, Product } from '#contract/content.ts';
import { defaultDeliveryTimes } from '#contract/catalog.ts';
import type { ProductReviews } from '#contract/reviews.ts';
import type { Shop } from '../page-context.ts';

/** What is needed to describe the pages for search engines, as schema.org data. URLs in that data are absolute. */
interface StructuredDataContext {
  shop: Shop;
  site: Content<'site'>;
  /** The current day in the shop's time zone when the page was rendered. */
  day: string;
}

const absoluteUrl = (shop: Shop, url: string) => (url.startsWith('/') ? shop.origin + url : url);

export const createOrganizationData = ({ shop, site }: StructuredDataContext) => ({
  '@type': 'Organization',
  '@id': `${shop.origin}/#organization`,
  name: site.name,
  url: shop.origin,
  logo: `${shop.origin}/icon-512.png`,
  description: site.description,
  contactPoint: {
    '@type': 'ContactPoint',
    contactType: 'customer support',
    email: site.contactEmail,
    ...(site.phone && { telephone: site.phone }),
  },
});

/** A product as schema.org data. Its rating comes from the buyers' reviews, or else from the product's rating field. */
export function createProductData(
  { shop, site, day }: StructuredDataContext,
  product: Product,
  {
    reviews,
    isSoldOut = false,
    times = defaultDeliveryTimes,
  }: {
    reviews?: Pick<ProductReviews, 'count' | 'mean'> | undefined;
    isSoldOut?: boolean;
    times?: ShippingDays | undefined;
  } = {},
) {
  const rating = reviews?.mean ? { value: reviews.mean, count: reviews.count } : product.rating;
  const url = `${shop.origin}/product/${product.id}`;
  const isShipped = product.id === 'kinframe';
  return {
    '@type': 'Product',
    '@id': `${url}#product`,
    name: product.name,
    description: product.long,
    sku: product.id,
    image: (product.images.length > 0 ? product.images : [product.image]).map((it) => absoluteUrl(shop, it)),
    brand: { '@type': 'Brand', name: site.name },
    offers: {
      '@type': 'Offer',
      url,
      priceCurrency: 'USD',
      price: product.price.toFixed(2),
      priceValidUntil: `${day.slice(0, 4)}-12-31`,
      availability: `https://schema.org/${isSoldOut ? 'OutOfStock' : 'InStock'}`,
      itemCondition: 'https://schema.org/NewCondition',
      seller: { '@type': 'Organization', name: site.name },
      ...(isShipped && { shippingDetails: shippingDetailsOf(times), hasMerchantReturnPolicy }),
    },
    ...(rating && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: rating.value,
        reviewCount: rating.count,
        bestRating: 5,
      },
    }),
  };
}

const createDaysRange = (minValue: number, maxValue: number) => ({
  '@type': 'QuantitativeValue',
  minValue,
  maxValue,
  unitCode: 'DAY',
});
interface ShippingDays {
  handlingDays: number;
  transitDays: number;
}
/** A package may be ready a day earlier, and arrive two days earlier, than the estimates say. */
const shippingDetailsOf = ({ handlingDays, transitDays }: ShippingDays) => ({
  '@type': 'OfferShippingDetails',
  shippingRate: { '@type': 'MonetaryAmount', value: 0, currency: 'USD' },
  shippingDestination: ['US', 'CA'].map((addressCountry) => ({ '@type': 'DefinedRegion', addressCountry })),
  deliveryTime: {
    '@type': 'ShippingDeliveryTime',
    handlingTime: createDaysRange(Math.max(0, handlingDays - 1), handlingDays),
    transitTime: createDaysRange(Math.max(1, transitDays - 2), transitDays),
  },
});
const hasMerchantReturnPolicy = {
  '@type': 'MerchantReturnPolicy',
  applicableCountry: ['US', 'CA'],
  returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
  merchantReturnDays: 30,
  returnMethod: 'https://schema.org/ReturnByMail',
};

export const createFaqData = (faqs: Content<'faqs'>) => ({
  '@type': 'FAQPage',
  mainEntity: faqs.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
});

/** The breadcrumbs from the home page to this page: `[['Gallery', '/gallery']]`. */
export const createBreadcrumbData = ({ shop }: StructuredDataContext, ...steps: [name: string, path: string][]) => ({
  '@type': 'BreadcrumbList',
  itemListElement: ([['Home', '/'], ...steps] as const).map(([name, path], index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: shop.origin + path,
  })),
});
