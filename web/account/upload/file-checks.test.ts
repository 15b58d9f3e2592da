import { describe, expect, it } from 'vitest';
import { photoTypes } from '#contract/photo-types.ts';
import { acceptedFiles } from '../accepted-files.ts';
import { checkFiles } from './file-checks.ts';

const megabyteInBytes = 1024 * 1024;
const createFile = (name: string, type = 'image/jpeg', size = megabyteInBytes) => ({ name, type, size });
const namesOf = (files: { name: string }[]) => files.map((it) => it.name);

describe('checkFiles', () => {
  it('accepts all seven types, by MIME type or by file extension', () => {
    const files = [
      createFile('a.jpg'),
      createFile('b.JPEG', ''),
      createFile('c.png', 'image/png'),
      createFile('d.gif', 'image/gif'),
      createFile('e.webp', 'image/webp'),
      createFile('f.HEIC', ''),
      createFile('g.heif', 'application/octet-stream'),
      createFile('h.jpg', 'image/jpg'),
    ];
    expect(checkFiles(files, { room: 20 })).toEqual({ accepted: files, problems: [] });
  });

  it('acceptedFiles contains all MIME types and file extensions that the shop accepts', () => {
    for (const [type, endings] of Object.entries(photoTypes))
      for (const name of [type, ...endings.map((it) => `.${it}`)]) expect(acceptedFiles.split(',')).toContain(name);
  });

  it('names the files that are not photos, and accepts the other files', () => {
    const { accepted, problems } = checkFiles(
      [createFile('a.jpg'), createFile('b.pdf', 'application/pdf'), createFile('c.mov', 'video/quicktime')],
      {
        room: 20,
      },
    );
    expect(namesOf(accepted)).toEqual(['a.jpg']);
    expect(problems).toEqual([
      {
        title: 'Invalid file type',
        words: 'These files are not supported: b.pdf, c.mov. Please use JPEG, PNG, HEIC, WebP, or GIF images.',
      },
    ]);
  });

  it('names the files that are larger than 10 MB, and accepts a file of exactly 10 MB', () => {
    const { accepted, problems } = checkFiles(
      [
        createFile('a.jpg', 'image/jpeg', 10 * megabyteInBytes),
        createFile('b.jpg', 'image/jpeg', 10 * megabyteInBytes + 1),
      ],
      {
        room: 20,
      },
    );
    expect(namesOf(accepted)).toEqual(['a.jpg']);
    expect(problems).toEqual([
      {
        title: 'File size too large',
        words: 'These files exceed the 10MB limit: b.jpg. Try compressing or resizing them.',
      },
    ]);
  });

  it('accepts no file when there is not enough room for all, and says how many photos can be added', () => {
    const threeFiles = [createFile('a.jpg'), createFile('b.jpg'), createFile('c.jpg')];
    expect(checkFiles(threeFiles, { room: 3 }).accepted).toHaveLength(3);
    const { accepted, problems } = checkFiles(threeFiles, { room: 2 });
    expect(accepted).toEqual([]);
    expect(problems[0]).toEqual({
      title: 'Upload limit reached',
      words: 'You chose 3 photos, but you can only upload 2 more to this frame. Please choose up to 2.',
    });
  });

  it('suggests photo packages when the frame is full', () => {
    expect(checkFiles([createFile('a.jpg')], { room: 0 }).problems[0]?.words).toBe(
      'This frame has reached its photo upload limit. Purchase additional photo packages to upload more photos.',
    );
  });

  it('accepts no file without a frame, and at most ten photos when the room of the frame is unknown', () => {
    expect(checkFiles([createFile('a.jpg')], undefined).problems[0]?.title).toBe('Frame not selected');
    const elevenFiles = Array.from({ length: 11 }, (_, index) => createFile(`${index}.jpg`));
    expect(checkFiles(elevenFiles.slice(1), { room: undefined }).accepted).toHaveLength(10);
    expect(checkFiles(elevenFiles, { room: undefined }).accepted).toHaveLength(0);
  });
});
