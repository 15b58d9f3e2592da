import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { framePanelSize } from '#contract/motion.ts';
import { findFfmpeg } from './ffmpeg.ts';
import { readPlaybackFacts } from './playback-facts.ts';
import { fitVideo } from './fit-video.ts';
import { requireColorFilters } from './video-colors.ts';
import { isFaststart, readVideoFacts } from './video-facts.ts';

let folder = '';
let ffmpegPath = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fit-'));
  ffmpegPath = (await findFfmpeg(process.env['FFMPEG_PATH'])).path;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes a test video with a tone, with the given ffmpeg arguments. */
function makeVideoFile(name: string, size: string, ...words: string[]): string {
  const path = join(folder, name);
  const inputArguments = [`testsrc2=s=${size}:r=25:d=2`, 'sine=d=2'].flatMap((it) => ['-f', 'lavfi', '-i', it]);
  execFileSync(ffmpegPath, ['-v', 'error', '-y', ...inputArguments, ...words, path]);
  return path;
}
function fitSource(source: string) {
  const outputFolder = join(folder, crypto.randomUUID());
  mkdirSync(outputFolder);
  return {
    into: outputFolder,
    fitted: fitVideo({ ffmpegPath, source, folder: outputFolder, provenance: { by: 'hosted', model: 'o/m' } }),
  };
}
const createExpectedFacts = (seconds: number) => ({
  codec: 'h264',
  pixelFormat: 'yuv420p',
  ...framePanelSize,
  seconds,
});

test('re-encodes a portrait video with another codec for the frame’s panel, without sound', async () => {
  const sourcePath = makeVideoFile('tall.mp4', '360x640', '-c:v', 'mpeg4', '-pix_fmt', 'yuv420p');
  const { into, fitted } = fitSource(sourcePath);
  const fittedFacts = await fitted;
  expect(fittedFacts).toMatchObject({ ...framePanelSize, seconds: 2, videoPath: join(into, 'video.mp4') });
  expect(await readVideoFacts(ffmpegPath, fittedFacts.videoPath)).toEqual(createExpectedFacts(2));
  expect(await isFaststart(fittedFacts.videoPath)).toBe(true);
  expect(describeStreams(fittedFacts.videoPath)).not.toContain('Audio');
  expect(existsSync(fittedFacts.posterPath)).toBe(true);
});

test('only repackages a video that already fits the panel, and does not change its pictures', async () => {
  const sourcePath = makeVideoFile(
    'fits.mp4',
    '1280x800',
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
    '-metadata',
    'comment=secret',
  );
  const fittedFacts = await fitSource(sourcePath).fitted;
  expect(await readVideoFacts(ffmpegPath, fittedFacts.videoPath)).toEqual(createExpectedFacts(2));
  expect(await isFaststart(fittedFacts.videoPath)).toBe(true);
  expect(describeStreams(fittedFacts.videoPath)).not.toMatch(/Audio|secret/);
  expect(describeStreams(fittedFacts.videoPath)).toContain('Made from your photo by AI. The AI model is o/m.');
  expect(hashOfPictures(fittedFacts.videoPath)).toBe(hashOfPictures(sourcePath));
});

test('refuses files that are not an MP4 with video, and leaves no files', async () => {
  const textFile = join(folder, 'words.mp4');
  writeFileSync(textFile, 'these are words');
  const playlistFile = join(folder, 'list.mp4');
  writeFileSync(playlistFile, '#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n');
  const audioFile = join(folder, 'sound.mp4');
  execFileSync(ffmpegPath, ['-v', 'error', '-f', 'lavfi', '-i', 'sine=d=1', audioFile]);
  const mkvFile = makeVideoFile('other.mkv', '320x200', '-c:v', 'libx264');
  for (const sourcePath of [textFile, playlistFile, audioFile, mkvFile, join(folder, 'none.mp4')]) {
    const { into, fitted } = fitSource(sourcePath);
    await expect(fitted, sourcePath).rejects.toMatchObject({ name: 'AnimationError', retryable: false });
    expect(existsSync(join(into, 'video.mp4')), sourcePath).toBe(false);
  }
});

/** Makes a video that fits the panel except for these ffmpeg arguments. */
const createAlmostFittingVideo = (name: string, ...words: string[]) =>
  makeVideoFile(
    name,
    '1280x800',
    '-an',
    '-t',
    '0.4',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    ...words,
  );

test.each<[string, () => string]>([
  ['a rotation tag', () => rotateVideo(createAlmostFittingVideo('turned.mp4'))],
  ['oblong pixels', () => createAlmostFittingVideo('oblong.mp4', '-vf', 'setsar=1/2')],
  ['another frame rate', () => createAlmostFittingVideo('quick.mp4', '-vf', 'fps=50')],
  ['a higher level', () => createAlmostFittingVideo('level.mp4', '-level:v', '4.2')],
  [
    'two fields a picture',
    () => createAlmostFittingVideo('fields.mp4', '-vf', 'setfield=tff', '-flags', '+ilme+ildct'),
  ],
  ['a variable frame rate', () => createAlmostFittingVideo('uneven.mp4', ...unevenTimingArgs)],
])('re-encodes a video with %s: upright, square pixels, 25 regular frames per second, High 4.0', async (_, make) => {
  const sourcePath = make();
  const returnUnchanged = (command: string[]) => command;
  const factsBefore = await readPlaybackFacts(ffmpegPath, sourcePath, { framesPerSecond: 25, wrap: returnUnchanged });
  expect(factsBefore!.isSteady && factsBefore!.isUpright && factsBefore!.isPlain).toBe(false);
  const fittedFacts = await fitSource(sourcePath).fitted;
  expect(fittedFacts).toMatchObject(framePanelSize);
  expect(
    await readPlaybackFacts(ffmpegPath, fittedFacts.videoPath, { framesPerSecond: 25, wrap: returnUnchanged }),
  ).toMatchObject({
    codec: 'h264',
    pixelFormat: 'yuv420p',
    ...framePanelSize,
    isSteady: true,
    isUpright: true,
    isPlain: true,
    colors: 'bt709',
  });
  expect(await sharp(fittedFacts.posterPath).metadata()).toMatchObject(framePanelSize);
});

test('removes sound, subtitles and chapters', async () => {
  const subtitles = join(folder, 'words.srt');
  writeFileSync(subtitles, '1\n00:00:00,000 --> 00:00:01,000\nA secret\n');
  const chapters = join(folder, 'chapters.txt');
  writeFileSync(chapters, ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=200\ntitle=A secret\n');
  const plainVideoFile = makeVideoFile('plain.mp4', '1280x800', '-t', '0.4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p');
  const sourcePath = join(folder, 'full.mp4');
  const inputArguments = [plainVideoFile, subtitles, chapters].flatMap((it) => ['-i', it]);
  const mappingArguments = [
    '-map',
    '0',
    '-map',
    '1',
    '-map_metadata',
    '2',
    '-map_chapters',
    '2',
    '-c',
    'copy',
    '-c:s',
    'mov_text',
  ];
  execFileSync(ffmpegPath, ['-v', 'error', '-y', ...inputArguments, ...mappingArguments, sourcePath]);
  expect(describeStreams(sourcePath)).toMatch(/Chapter[^]*Subtitle/);
  const fittedFacts = await fitSource(sourcePath).fitted;
  expect(describeStreams(fittedFacts.videoPath)).not.toMatch(/Audio|Subtitle|Data|Chapter|secret/);
  expect(describeStreams(fittedFacts.videoPath).match(/Stream #/g)).toHaveLength(1);
});

test('removes a cover picture, and does not change the video’s pictures', async () => {
  const plainVideo = createAlmostFittingVideo('uncovered.mp4');
  const coverPicture = join(folder, 'cover.png');
  writeFileSync(
    coverPicture,
    await sharp({ create: { ...framePanelSize, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  );
  const sourcePath = join(folder, 'covered.mp4');
  const inputs = [plainVideo, coverPicture].flatMap((it) => ['-i', it]);
  const coverPictureArgs = ['-map', '0:v', '-map', '1:v', '-c', 'copy', '-disposition:v:1', 'attached_pic'];
  execFileSync(ffmpegPath, ['-v', 'error', '-y', ...inputs, ...coverPictureArgs, sourcePath]);
  expect(readFileSync(sourcePath).includes('covr')).toBe(true);
  const fittedFacts = await fitSource(sourcePath).fitted;
  expect(describeStreams(fittedFacts.videoPath).match(/Stream #/g)).toHaveLength(1);
  expect(readFileSync(fittedFacts.videoPath).includes('covr')).toBe(false);
  expect(hashOfPictures(fittedFacts.videoPath)).toBe(hashOfPictures(plainVideo));
});

test.each([
  ['PQ', 'smpte2084', 143],
  ['HLG', 'arib-std-b67', 180],
])('white paper in a video with %s is as bright after conversion as in SDR', async (_, curve, luma) => {
  const hdrColorArguments = [
    '-color_primaries',
    'bt2020',
    '-color_trc',
    curve,
    '-colorspace',
    'bt2020nc',
    '-color_range',
    'tv',
  ];
  const whitePictureArguments = ['-vf', `format=yuv420p,lutyuv=y=${luma}:u=128:v=128`];
  const fittedFacts = await fitSource(
    createAlmostFittingVideo(`${curve}.mp4`, ...whitePictureArguments, ...hdrColorArguments),
  ).fitted;
  expect(describeStreams(fittedFacts.videoPath)).toMatch(/yuv420p\(tv, bt709/);
  const { channels } = await sharp(fittedFacts.posterPath).stats();
  for (const { mean } of channels) {
    expect(mean).toBeGreaterThan(200);
    expect(mean).toBeLessThan(245);
  }
});

test('refuses an HDR video with a clear error if ffmpeg cannot convert it', async () => {
  const lesserFfmpeg = join(folder, 'lesser-ffmpeg');
  writeFileSync(lesserFfmpeg, '#!/bin/sh\necho " ... scale  V->V  Scale the input video size"', { mode: 0o755 });
  await expect(requireColorFilters(lesserFfmpeg, 'pq')).rejects.toThrow(/an HDR film.*export the film in SDR/);
  await expect(requireColorFilters(ffmpegPath, 'pq')).resolves.toBeUndefined();
});

test('refuses a video that contains no frames, with a clear error', async () => {
  const sourcePath = createAlmostFittingVideo(
    'fragments.mp4',
    '-movflags',
    'empty_moov+frag_keyframe+default_base_moof',
  );
  const bytes = readFileSync(sourcePath);
  const videoWithoutPictures = join(folder, 'no-pictures.mp4');
  writeFileSync(videoWithoutPictures, bytes.subarray(0, bytes.indexOf('moof') - 4));
  await expect(fitSource(videoWithoutPictures).fitted).rejects.toThrow(/holds no video|has no pictures in it/);
});

/** ffmpeg arguments for a video in which every second frame is late. */
const unevenTimingArgs = ['-vf', "settb=1/1000,setpts='(N+0.4*mod(N,2))*40'", '-enc_time_base', '1/1000'];

/** Adds a quarter turn to a video, in the matrix of its track header. */
function rotateVideo(path: string): string {
  const bytes = readFileSync(path);
  const matrixOffset = bytes.indexOf('tkhd') + 4 + 40;
  const quarterTurnMatrix = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000];
  quarterTurnMatrix.forEach((value, at) => bytes.writeInt32BE(value, matrixOffset + 4 * at));
  writeFileSync(path, bytes);
  return path;
}

const describeStreams = (path: string) =>
  execFileSync('/bin/sh', ['-c', '"$0" -i "$1" 2>&1 || true', ffmpegPath, path], { encoding: 'utf8' });
const hashOfPictures = (path: string) =>
  execFileSync(ffmpegPath, ['-v', 'error', '-i', path, '-map', '0:v', '-f', 'md5', '-'], { encoding: 'utf8' });
