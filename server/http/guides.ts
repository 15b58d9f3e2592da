import { createRequire } from 'node:module';
import { join } from 'node:path';
import { connectionGuide } from '#contract/connection-guide.ts';
import { drawGuide } from '#adapters/documents/guide-pdf.ts';
import { projectFolder } from '../project-folder.ts';
import type { HttpScope } from './common/http-scope.ts';

const { resolve } = createRequire(join(projectFolder, 'package.json'));
/** The font files for PDFs. */
export const loadPrintFonts = () => ({
  serif: join(projectFolder, 'web/fonts/fraunces-print.woff2'),
  sans: resolve('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'),
});

/**
 * Serves the guide to connect a frame as a PDF. It is drawn again only when the shop's name or email address in Site
 * Settings changes.
 */
export function registerGuideRoutes({ app, shop: { readContent } }: HttpScope): void {
  let drawn: { of: string; pdf: Promise<Buffer> } | undefined;

  app.get(connectionGuide.pdfPath, { schema: { hide: true } }, async (_request, reply) => {
    const { name, contactEmail } = await readContent('site');
    const cacheKey = JSON.stringify([name, contactEmail]);
    if (drawn?.of !== cacheKey)
      drawn = { of: cacheKey, pdf: drawGuide({ shopName: name, supportEmail: contactEmail, ...loadPrintFonts() }) };
    const { pdf } = drawn;
    // If drawing fails, forget the result, so that the next request draws again.
    pdf.catch(() => {
      if (drawn?.pdf === pdf) drawn = undefined;
    });
    const bytes = await pdf;
    return reply
      .headers({
        'content-disposition': 'inline; filename="how-to-connect-your-frame.pdf"',
        'cache-control': 'public, max-age=3600',
        'x-content-type-options': 'nosniff',
      })
      .type('application/pdf')
      .send(bytes);
  });
}
