import { expect, test } from 'vitest';
import { connectionGuide } from '#contract/connection-guide.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { readTextOfPdf } from '#test/pdf-text.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';

describeOnFastestEngine((fresh) => {
  test('the PDF guide to connect a frame has the full text of its page, and the shop’s name and address', async () => {
    const testShop = await openTestShop(fresh);
    const visitor = testShop.browser();
    const fetchGuide = async () => {
      const response = await visitor.get(connectionGuide.pdfPath);
      expect([response.status, response.headers['content-type']]).toEqual([200, 'application/pdf']);
      expect(response.headers['content-disposition']).toBe('inline; filename="how-to-connect-your-frame.pdf"');
      expect(response.bytes.subarray(0, 5).toString()).toBe('%PDF-');
      return readTextOfPdf(response.bytes);
    };
    const removeSpaces = (words: string) => words.replaceAll(/\s/g, '');
    const site = (await visitor.get('/data/site.json')).json;
    const { title, lede, steps, help } = connectionGuide;
    const expected = [
      site.name,
      title,
      lede,
      ...steps.flatMap((step, index) => [`${index + 1}`, step.title, step.words]),
      help.title,
      help.before,
      site.contactEmail,
      help.after,
    ];
    expect(removeSpaces(await fetchGuide())).toBe(removeSpaces(expected.join('')));

    const owner = testShop.browser();
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    const renamedSite = { ...site, name: 'Linden & Daughters', contactEmail: 'hello@linden.example' };
    expect((await owner.put('/api/admin/content/site.json', renamedSite)).status).toBe(200);
    const guideAfter = removeSpaces(await fetchGuide());
    expect(guideAfter).toContain('Linden&Daughters');
    expect(guideAfter).toContain('hello@linden.example');
  });
});
