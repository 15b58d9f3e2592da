import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { storeMedia } from '#shop/media/media.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { receiveForm, type FormRules } from '../common/multipart.ts';
import { mountOperation } from '../common/serve.ts';

/** Uploads of pictures and videos for pages, by the owner. */
export function registerOwnerMediaRoutes({ app, shop }: HttpScope): void {
  const form: FormRules = {
    workFolder: shop.workFolder,
    fileFields: ['file'],
    fileBytes: limits.pageFilmBytes,
    noForm: 'no-media',
    tooLarge: () => new Refusal('media-too-large'),
  };
  const parseMediaType = (type: string | undefined) => (type === 'image' || type === 'video' ? type : undefined);

  mountOperation(app, 'POST /api/admin/gallery/upload', ({ request }) =>
    receiveForm(request, form, async ({ files, fields }) => {
      if (!files['file']) throw new Refusal('no-media');
      const requestedType = parseMediaType(fields['type']);
      return storeMedia(shop, files['file'], { wanted: requestedType, place: 'gallery', by: getAuditAuthor(request) });
    }),
  );

  mountOperation(app, 'POST /api/admin/content/upload', ({ request }) =>
    receiveForm(request, form, async ({ files, fields }) => {
      if (!files['file']) throw new Refusal('no-media');
      const sectionName = fields['section']?.slice(0, 60) || 'content';
      return storeMedia(shop, files['file'], { place: sectionName, by: getAuditAuthor(request) });
    }),
  );
}
