import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findFfmpeg } from '#adapters/animation/ffmpeg.ts';
import type { Content } from '#contract/content.ts';
import { limits } from '#contract/limits.ts';
import { namedFiles } from '#server/named-files.ts';
import { sweepFiles } from '#shop/files/sweep.ts';
import { describeOnFastestEngine, type FreshDatabase } from '#test/database.ts';
import { createFileForm, createOwnersVideoFile } from '#test/owners-video.ts';
import { createSmallPhoto } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';

const routes = ['/api/admin/gallery/upload', '/api/admin/content/upload'];

async function openSignedInShop(fresh: FreshDatabase) {
  const testShop = await openTestShop(fresh);
  const owner = testShop.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  const listStoredFiles = async (prefix = '') => {
    const keys: string[] = [];
    for await (const { key } of testShop.shop.storage.list(prefix)) if (key !== 'shop-id.txt') keys.push(key);
    return keys.toSorted();
  };
  const uploadMedia = async (bytes: Buffer, name?: string, fields: Record<string, string> = {}) =>
    owner.post(routes[0]!, createFileForm(bytes, name, fields));
  return { it: testShop, owner, stored: listStoredFiles, upload: uploadMedia };
}

/** A video of one second that ffmpeg makes with these arguments. */
async function encodeTestVideo(name: string, ...how: string[]): Promise<Buffer> {
  const { path: ffmpeg } = await findFfmpeg(process.env['FFMPEG_PATH']);
  const folder = mkdtempSync(join(tmpdir(), 'film-'));
  try {
    const path = join(folder, name);
    execFileSync(ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=320x200:r=10:d=1', ...how, path]);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describeOnFastestEngine((fresh) => {
  test('re-encodes an uploaded picture, stores it under a new name, and lets caches keep it forever', async () => {
    const { it, upload, stored } = await openSignedInShop(fresh);
    const photo = await sharp(await createSmallPhoto())
      .withExif({ IFD0: { Copyright: 'Anna Keller' }, IFD3: { GPSLatitude: '47/1 22/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { status, json } = await upload(photo, '../<b>kite.jpg', { type: 'image' });
    expect(status).toBe(200);
    expect(json).toEqual({
      filename: expect.stringMatching(/^[0-9a-f-]{36}\.jpg$/),
      url: `/content/${json.filename}`,
      type: 'image',
    });
    expect(await stored()).toEqual([`content/${json.filename}`]);
    const shownResponse = await it.browser().get(json.url);
    expect(shownResponse.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    const { exif, width, height } = await sharp(shownResponse.bytes).metadata();
    expect([exif, width, height]).toEqual([undefined, 48, 64]);
    expect(await it.browser().head(json.url)).toMatchObject({ status: 200 });
    expect((await readAllTables(it.shop.db))['audit_trail']).toContainEqual(
      expect.objectContaining({
        act: 'upload-media',
        subject_id: json.filename,
        after: { name: '<b>kite.jpg', place: 'gallery' },
      }),
    );
  });

  test('removes sound and camera data from an uploaded video, and serves byte ranges of the video', async () => {
    const { it, upload, owner } = await openSignedInShop(fresh);
    const mov = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-metadata', 'location=+47.37+008.54/', '-f', 'mov'];
    for (const [bytes, name, type] of [
      [await createOwnersVideoFile(), 'film.mp4', 'video/mp4'],
      [await encodeTestVideo('film.mov', ...mov), 'film.mov', 'video/mp4'],
      [await encodeTestVideo('film.webm', '-c:v', 'libvpx', '-pix_fmt', 'yuv420p'), 'film.webm', 'video/webm'],
    ] as const) {
      const { status, json, text } = await upload(bytes, name, { type: 'video' });
      expect(status, `${name} ${text}`).toBe(200);
      expect(json.type, name).toBe('video');
      const shownResponse = await it.browser().get(json.url);
      expect(shownResponse.headers['content-type'], name).toBe(type);
      expect(shownResponse.bytes.includes('+47.37'), name).toBe(false);
      expect(shownResponse.bytes.includes('mp4a'), name).toBe(false);
      const partResponse = await it.browser().get(json.url, { range: 'bytes=0-9' });
      expect([partResponse.status, partResponse.bytes.length], name).toEqual([206, 10]);
    }
    const videoResponse = await owner.post(
      routes[1]!,
      createFileForm(await createOwnersVideoFile(), 'film.mp4', { section: 'Hero' }),
    );
    expect(videoResponse.json.type).toBe('video');
  });

  test('refuses files of other types, damaged, too large or unplayable files, and stores nothing', async () => {
    const { it, owner, upload, stored } = await openSignedInShop(fresh);
    const auditBefore = (await readAllTables(it.shop.db))['audit_trail'];
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const photo = await createSmallPhoto();
    const oversizedPhoto = Buffer.concat([photo, Buffer.alloc(limits.photoBytes)]);
    const film = await createOwnersVideoFile();
    const expectRefusal = async (bytes: Buffer, code: string, words: RegExp, fields: Record<string, string> = {}) => {
      const response = await upload(bytes, 'kite.jpg', fields);
      expect([response.json.code, response.json.message]).toEqual([code, expect.stringMatching(words)]);
    };
    await expectRefusal(svg, 'media-type', /can’t show this file: kite\.jpg/);
    await expectRefusal(Buffer.from('<html>'), 'media-type', /can’t show this file/);
    await expectRefusal(Buffer.alloc(0), 'media-type', /can’t show this file/);
    await expectRefusal(photo.subarray(0, photo.length / 2), 'photo-damaged', /damaged/);
    await expectRefusal(oversizedPhoto, 'file-too-large', /10MB/);
    await expectRefusal(Buffer.alloc(limits.pageFilmBytes + 1), 'media-too-large', /30 MB/);
    await expectRefusal(film.subarray(0, 400), 'video-unplayable', /H\.264/);
    await expectRefusal(await encodeTestVideo('film.mp4', '-c:v', 'mpeg4'), 'video-unplayable', /H\.264/);
    await expectRefusal(film, 'image-needed', /choose a picture/, { type: 'image' });
    await expectRefusal(photo, 'video-needed', /choose a video/, { type: 'video' });
    for (const route of routes) {
      expect((await owner.post(route, new FormData())).json.code, route).toBe('no-media');
      expect((await owner.post(route, { file: 'x' })).json.code, route).toBe('no-media');
    }
    expect(await stored()).toEqual([]);
    expect(readdirSync(it.shop.workFolder)).toEqual([]);
    expect((await readAllTables(it.shop.db))['audit_trail']).toEqual(auditBefore);
  });

  test('refuses uploads from everyone except the owner, and serves no other files below /content/', async () => {
    const { it, stored, upload } = await openSignedInShop(fresh);
    for (const route of routes) {
      const response = await it.browser().post(route, createFileForm(await createSmallPhoto()));
      expect([response.status, response.json.code]).toEqual([401, 'admin-needed']);
    }
    expect(await stored()).toEqual([]);
    const { filename } = (await upload(await createSmallPhoto())).json;
    const missingFileName = `${crypto.randomUUID()}.jpg`;
    await it.shop.storage.put(`display/${missingFileName}`, await createSmallPhoto(), 'image/jpeg');
    for (const name of [
      missingFileName,
      `..%2Fdisplay%2F${missingFileName}`,
      `%2e%2e/display/${missingFileName}`,
      'shop-id.txt',
      `${filename}.txt`,
    ])
      expect((await it.browser().get(`/content/${name}`)).status, name).toBe(404);
  });

  test('the sweep keeps files that content uses, moves others to the trash, and restores them on reuse', async () => {
    const { it, owner, upload, stored } = await openSignedInShop(fresh);
    const sweep = () =>
      sweepFiles({
        ...it.shop,
        clock: it.clock,
        fileSources: namedFiles,
        isLimited: true,
        notifyOwner: async () => {},
      });
    const [used, replaced, hero, never] = await Promise.all(
      [1, 2, 3, 4].map(async () => (await upload(await createSmallPhoto())).json as { filename: string; url: string }),
    );
    const createGalleryItems = (beforeImage: string) => ({
      items: [{ id: 1, title: 'Kite', caption: '', beforeImage, afterVideo: used!.url }],
    });
    await owner.put('/api/admin/gallery', createGalleryItems(replaced!.url));
    const { json: heroBefore } = await owner.get('/api/admin/content/hero.json');
    await owner.put('/api/admin/content/hero.json', { ...heroBefore, backgroundVideo: hero!.url });
    const toContentKeys = (...kept: ({ filename: string } | undefined)[]) =>
      kept.map((it) => `content/${it!.filename}`).toSorted();
    it.clock.advance(61 * 60_000);
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    expect(await sweep()).toMatchObject({ orphans: 1, trashed: 1 });
    expect(await stored('content/')).toEqual(toContentKeys(used, replaced, hero));
    expect((await it.browser().get(never!.url)).status).toBe(200); // a deleted file is served from the trash, because open pages may still show it

    await owner.put('/api/admin/gallery', createGalleryItems(used!.url));
    expect(await sweep()).toMatchObject({ orphans: 1, trashed: 1 });
    expect(await stored('content/')).toEqual(toContentKeys(used, hero));
    await owner.put('/api/admin/gallery', createGalleryItems(replaced!.url));
    expect(await sweep()).toMatchObject({ restored: 1 });
    expect(await stored('content/')).toEqual(toContentKeys(used, replaced, hero));
    it.clock.advance(8 * 86_400_000);
    await sweep();
    expect((await it.browser().get(never!.url)).status).toBe(404);
    expect((await it.browser().get(hero!.url)).status).toBe(200);
  });

  test('saves the whole gallery, as an array or as `items`, and refuses a save over a newer version', async () => {
    const { it, owner } = await openSignedInShop(fresh);
    const builtInGallery = (await owner.get('/api/admin/gallery')).json as Content<'gallery'>;
    expect((await it.browser().get('/data/gallery.json')).json).toEqual(builtInGallery);
    const readVersion = async () => (await owner.get('/api/admin/content-versions')).json.versions.gallery as string;
    const firstVersion = await readVersion();
    const scriptText = '<script>alert(1)</script>';
    const addedItem = {
      id: builtInGallery.length + 1,
      title: ` ${scriptText} `,
      caption: scriptText,
      beforeImage: '/media/kite.jpg',
    };
    const savedResponse = await owner.put(`/api/admin/gallery?version=${firstVersion}`, [...builtInGallery, addedItem]);
    expect(savedResponse.json).toEqual([...builtInGallery, { ...addedItem, title: scriptText }]);
    expect((await it.browser().get('/data/gallery.json')).json).toEqual(savedResponse.json);
    const lateResponse = await owner.put(`/api/admin/gallery?version=${firstVersion}`, {
      items: builtInGallery.slice(1),
    });
    expect([lateResponse.status, lateResponse.json.code]).toEqual([409, 'content-changed']);
    expect(lateResponse.json.details).toEqual({
      yours: builtInGallery.slice(1),
      theirs: savedResponse.json,
      version: await readVersion(),
    });
    expect((await owner.put('/api/admin/gallery', { items: builtInGallery.slice(1) })).json).toEqual(
      builtInGallery.slice(1),
    );

    const tablesBefore = await readAllTables(it.shop.db);
    for (const [wrong, words] of [
      [{ title: ' ' }, 'Please enter a title'],
      [{ beforeImage: ' ' }, 'Please enter the before image'],
      [{ beforeImage: 'javascript:alert(1)' }, 'Please enter a path on this site'],
      [{ afterVideo: '//evil.example/a.mp4' }, 'Please enter a path on this site'],
      [{ id: 1 }, 'Another picture already has this number'],
    ] as const) {
      const body = [{ ...builtInGallery[0]! }, { ...builtInGallery[1]!, ...wrong }];
      const response = await owner.put('/api/admin/gallery', body);
      expect([response.status, response.json.message], words).toEqual([400, expect.stringContaining(words)]);
    }
    expect((await owner.put('/api/admin/gallery', { pictures: [] })).status).toBe(400);
    for (const unauthorizedCall of [
      it.browser().put('/api/admin/gallery', builtInGallery),
      it.browser().get('/api/admin/gallery'),
    ])
      expect((await unauthorizedCall).status).toBe(401);
    expect(await readAllTables(it.shop.db)).toEqual(tablesBefore);
  });
});
