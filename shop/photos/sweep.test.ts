import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openWorkFolder, sweepWork } from '#server/work-folder.ts';
import { anyEngine } from '#test/database.ts';
import { annaOwns, photoForm, smallPhoto, uploadTo } from '#test/people.ts';
import { openTestShop } from '#test/shop.ts';
import { renderVideo } from '../production/render.ts';
import { sweepFiles } from './sweep.ts';

anyEngine((fresh) => {
  test('files that no row names are swept after an hour, named ones never', async () => {
    const it = await openTestShop(fresh);
    const { browser, frames } = await annaOwns(it);
    const { deviceId } = frames[0]!;
    const photo = (await uploadTo(browser, deviceId)).json;
    const qr = photoForm(undefined, await smallPhoto());
    qr.append('qrPhoto', new Blob([new Uint8Array(await smallPhoto())]), 'qr.jpg');
    expect((await browser.put(`/api/devices/${deviceId}/connection`, qr)).status).toBe(200);
    await browser.post('/api/uploads/finalize', { deviceId });
    const { rows } = await it.shop.db.execute<{ id: string }>(sql`select id from videos`);
    await renderVideo(
      { ...it.shop, autoApprove: false },
      { videoId: rows[0]!.id, take: 1 },
      { signal: new AbortController().signal, isLastTry: false },
    );

    const files = join(it.shop.config.dataDir, 'files');
    const folders = ['originals', 'display', 'thumbnails', 'videos', 'posters', 'connections'];
    const named = folders.flatMap((folder) => readdirSync(join(files, folder)).map((name) => `${folder}/${name}`));
    expect(named).toHaveLength(6);
    for (const folder of folders) {
      writeFileSync(join(files, folder, 'orphan.jpg'), 'x');
      writeFileSync(join(files, folder, 'young-orphan.jpg'), 'x');
    }
    const seen = () => folders.flatMap((folder) => readdirSync(join(files, folder)).map((name) => `${folder}/${name}`));
    expect(await sweepFiles({ ...it.shop, clock: it.clock })).toBe(0); // nothing is an hour old
    it.clock.advance(61 * 60_000);
    const soon = it.clock.now();
    for (const folder of folders) utimesSync(join(files, folder, 'young-orphan.jpg'), soon, soon);
    expect(await sweepFiles({ ...it.shop, clock: it.clock })).toBe(6);
    expect(seen().toSorted()).toEqual([...named, ...folders.map((folder) => `${folder}/young-orphan.jpg`)].toSorted());
    expect((await browser.get(photo.url)).status).toBe(200);
  });

  test('a replaced QR photo and a redone video leave their old files to the sweep', async () => {
    const it = await openTestShop(fresh);
    const { browser, frames } = await annaOwns(it);
    for (let i = 0; i < 3; i++) {
      const form = new FormData();
      form.append('qrPhoto', new Blob([new Uint8Array(await smallPhoto())]), 'qr.jpg');
      await browser.put(`/api/devices/${frames[0]!.deviceId}/connection`, form);
    }
    it.clock.advance(2 * 3_600_000);
    expect(await sweepFiles({ ...it.shop, clock: it.clock })).toBe(2);
    const [frame] = (await browser.get('/api/frame-photo-limits')).json.frames;
    expect((await browser.get(frame.qrPhotoPath)).status).toBe(200);
  });

  test('what a killed process was working on is removed: at once where the folder is ours, else when it is old', async () => {
    const it = await openTestShop(fresh);
    const { dataDir } = it.shop.config;
    const folder = openWorkFolder(dataDir, { isOurs: false });
    mkdirSync(join(folder, 'form-old'));
    writeFileSync(join(folder, 'form-old', 'file-0'), 'x');
    utimesSync(join(folder, 'form-old'), 1, 1);
    mkdirSync(join(folder, 'form-young'));
    await sweepWork(folder);
    expect(readdirSync(folder)).toEqual(['form-young']);
    openWorkFolder(dataDir, { isOurs: false });
    expect(readdirSync(folder)).toEqual(['form-young']); // another process may be at it
    openWorkFolder(dataDir, { isOurs: true });
    expect(readdirSync(folder)).toEqual([]);
  });
});
