import type { FastifyRequest } from 'fastify';
import { aboutSections } from '#contract/content-forms.ts';
import type { ContentSection } from '#contract/content.ts';
import { canUse, roleNamesFor } from '#contract/owner/areas.ts';
import { contentFileSections, sectionAreas, type EditableContent } from '#contract/owner/content.ts';
import { Refusal } from '#contract/refusals.ts';
import { editContent, readContentWithProblem, readContent, hashContentVersion } from '#shop/content/content.ts';
import { readHistory } from '#shop/content/history.ts';
import { deliveryTimesOf } from '#shop/orders/delivery-times.ts';
import { readUsesByCode } from '#shop/promotions/promotions.ts';
import { getAuditAuthor, personOf } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

type Contact = { contactEmail: string };
/** The owner's mails go to the contact address, also mails about sign-ins. So only the owner changes it. */
function refuseOtherContact(request: FastifyRequest, before: Contact, after: Contact): void {
  if (before.contactEmail !== after.contactEmail && !canUse(personOf(request).role, 'security'))
    throw new Refusal('role-needed', { needed: roleNamesFor('security') });
}

/**
 * The owner's calls for content. They read it from the database, not from the cache, so that the owner edits the latest
 * version.
 */
export function registerOwnerContentRoutes({ app, shop }: HttpScope): void {
  const { db } = shop;

  for (const section of contentFileSections) {
    mountOperation(app, `GET /api/admin/content/${section}.json`, () => readContent(db, section) as never);
    mountOperation(app, `PUT /api/admin/content/${section}.json`, ({ body, query, request }) => {
      const checkChange = (before: unknown) => {
        if (section === 'site') refuseOtherContact(request, before as Contact, body as Contact);
        return body as never;
      };
      return editContent(shop, section, { change: checkChange, version: query.version }, getAuditAuthor(request));
    });
  }

  mountOperation(app, 'GET /api/admin/about-content', () => readContent(db, 'about'));
  mountOperation(app, 'PUT /api/admin/about-content/:section', ({ params, query, body, request }) => {
    const editedSection = { ...body, section: params.section };
    const isEdited = (it: { section: string }) => it.section === editedSection.section;
    return editContent(
      shop,
      'about',
      {
        change: (parts) =>
          parts.some(isEdited) ? parts.map((it) => (isEdited(it) ? editedSection : it)) : [...parts, editedSection],
        part: (parts) => parts.find(isEdited) ?? null,
        version: query.version,
      },
      getAuditAuthor(request),
    );
  });

  mountOperation(app, 'GET /api/admin/gallery', () => readContent(db, 'gallery'));
  mountOperation(app, 'PUT /api/admin/gallery', ({ body, query, request }) => {
    const items = Array.isArray(body) ? body : body.items;
    return editContent(shop, 'gallery', { change: () => items, version: query.version }, getAuditAuthor(request));
  });

  mountOperation(app, 'GET /api/admin/content-versions', async () => {
    const openedSections = await Promise.all(
      [...contentFileSections, 'gallery' as const, 'about' as const].map(async (section) => ({
        section,
        ...(await readContentWithProblem(db, section)),
      })),
    );
    const aboutContent = await readContent(db, 'about');
    const versions: Partial<Record<EditableContent, string>> = Object.fromEntries([
      ...openedSections.map(({ section, value }) => [section, hashContentVersion(value)]),
      ...aboutSections.map((part) => [
        `about/${part}`,
        hashContentVersion(aboutContent.find((it) => it.section === part) ?? null),
      ]),
    ]);
    return { versions, unreadable: openedSections.filter((it) => it.problem).map((it) => it.section) };
  });

  mountOperation(app, 'GET /api/admin/content-history', async ({ query, request }) => {
    const area = sectionAreas[query.section.split('/')[0] as ContentSection];
    if (!canUse(personOf(request).role, area)) throw new Refusal('role-needed', { needed: roleNamesFor(area) });
    const { versions, ...rest } = await readHistory(shop, query.section);
    return { ...rest, versions: versions.map(({ at, ...it }) => ({ ...it, at: at?.toISOString() ?? null })) };
  });

  mountOperation(app, 'GET /api/admin/shipping-settings', async () => {
    const { handlingDays, transitDays } = deliveryTimesOf(shop.config.deliveryDays, await readContent(db, 'shipping'));
    return { setByServer: shop.config.deliveryDays, inUse: { handlingDays, transitDays } };
  });

  mountOperation(app, 'GET /api/admin/shop-settings', () => ({
    setByServer: shop.config.ownersSettings,
    canPreview: shop.makesVideosHere,
  }));

  mountOperation(app, 'GET /api/admin/promotion-uses', () => readUsesByCode(db));
}
