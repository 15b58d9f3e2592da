import sharp from 'sharp';
import {
  createChromaticitiesChunk,
  createCicpChunk,
  createContentLightChunk,
  corruptChecksum,
  createGammaChunk,
  createIccpChunk,
  createPatchesPng,
  createShortChunk,
  createSrgbIntentChunk,
} from './patches.ts';

const [srgbPrimaries, adobePrimaries, p3Primaries] = [
  [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000],
  [31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000],
  [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000],
];
const p3 = (await sharp(await sharp(createPatchesPng()).withIccProfile('p3').png().toBuffer()).metadata()).icc!;

/** PNGs of the patches with all kinds of color descriptions, valid and invalid. */
export const coloredPngs = {
  nothing: createPatchesPng(),
  'Display P3 by cICP': createPatchesPng([createCicpChunk(12, 13, 0, 1)]),
  'sRGB by cICP': createPatchesPng([createCicpChunk(1, 13, 0, 1)]),
  'BT.709 by cICP': createPatchesPng([createCicpChunk(1, 1, 0, 1)]),
  'BT.2020 by cICP': createPatchesPng([createCicpChunk(9, 14, 0, 1)]),
  'linear light by cICP': createPatchesPng([createCicpChunk(1, 8, 0, 1)]),
  'NTSC by cICP': createPatchesPng([createCicpChunk(4, 4, 0, 1)]),
  'cinema by cICP': createPatchesPng([createCicpChunk(11, 17, 0, 1)]),
  'PQ by cICP': createPatchesPng([createCicpChunk(9, 16, 0, 1)]),
  'PQ of Display P3 by cICP': createPatchesPng([createCicpChunk(12, 16, 0, 1)]),
  'PQ by cICP, up to 400 nits': createPatchesPng([createCicpChunk(9, 16, 0, 1), createContentLightChunk(400)]),
  'PQ by cICP, up to 4000 nits': createPatchesPng([createCicpChunk(9, 16, 0, 1), createContentLightChunk(4000)]),
  'PQ by cICP, up to 100 nits': createPatchesPng([createCicpChunk(9, 16, 0, 1), createContentLightChunk(100)]),
  'HLG by cICP': createPatchesPng([createCicpChunk(9, 18, 0, 1)]),
  'HLG of Display P3 by cICP': createPatchesPng([createCicpChunk(12, 18, 0, 1)]),
  'linear light by gAMA': createPatchesPng([createGammaChunk(100_000)]),
  'an old Mac by gAMA': createPatchesPng([createGammaChunk(55_556)]),
  'the gamma of sRGB alone': createPatchesPng([createGammaChunk(45_455)]),
  'Display P3 by gAMA and cHRM': createPatchesPng([
    createGammaChunk(45_455),
    createChromaticitiesChunk(...p3Primaries),
  ]),
  'Adobe RGB by gAMA and cHRM': createPatchesPng([
    createGammaChunk(45_470),
    createChromaticitiesChunk(...adobePrimaries),
  ]),
  'cHRM without gAMA': createPatchesPng([createChromaticitiesChunk(...p3Primaries)]),
  'sRGB against gAMA and cHRM': createPatchesPng([
    createGammaChunk(100_000),
    createChromaticitiesChunk(...p3Primaries),
    createSrgbIntentChunk(0),
  ]),
  'sRGB with all that belongs to it': createPatchesPng([
    createSrgbIntentChunk(0),
    createGammaChunk(45_455),
    createChromaticitiesChunk(...srgbPrimaries),
  ]),
  'cICP against a profile': createPatchesPng([createCicpChunk(1, 13, 0, 1), createIccpChunk(p3)]),
  'PQ by cICP against a profile': createPatchesPng([createCicpChunk(9, 16, 0, 1), createIccpChunk(p3)]),
  'a profile against gAMA and sRGB': createPatchesPng([
    createIccpChunk(p3),
    createSrgbIntentChunk(0),
    createGammaChunk(100_000),
  ]),
  'grey of linear light by gAMA': createPatchesPng([createGammaChunk(100_000)], { color: 0 }),
  'grey of PQ by cICP': createPatchesPng([createCicpChunk(9, 16, 0, 1)], { color: 0 }),
  'deep grey of linear light by gAMA': createPatchesPng([createGammaChunk(100_000)], { color: 0, bits: 16 }),
  'deep colors of Display P3 by cICP': createPatchesPng([createCicpChunk(12, 13, 0, 1)], { bits: 16 }),
  'deep colors of PQ by cICP': createPatchesPng([createCicpChunk(9, 16, 0, 1)], { bits: 16 }),
  'transparency and linear light by gAMA': createPatchesPng([createGammaChunk(100_000)], { color: 6 }),
  'a cICP of no known primaries': createPatchesPng([createCicpChunk(99, 13, 0, 1)]),
  'a cICP that leaves all open': createPatchesPng([createCicpChunk(2, 2, 0, 1)]),
  'a cICP of limited range': createPatchesPng([createCicpChunk(12, 13, 0, 0)]),
  'a cICP that is too short': createPatchesPng([createShortChunk('cICP', 3)]),
  'an unknown cICP before a profile': createPatchesPng([createCicpChunk(99, 13, 0, 1), createIccpChunk(p3)]),
  'an unknown cICP before gAMA and cHRM': createPatchesPng([
    createCicpChunk(99, 13, 0, 1),
    createGammaChunk(45_470),
    createChromaticitiesChunk(...adobePrimaries),
  ]),
  'a profile that is none before gAMA': createPatchesPng([
    createIccpChunk(Buffer.from('nothing')),
    createGammaChunk(100_000),
  ]),
  'an sRGB of no known intent before gAMA': createPatchesPng([createSrgbIntentChunk(9), createGammaChunk(100_000)]),
  'a gAMA of nothing': createPatchesPng([createGammaChunk(0)]),
  'a gAMA that is too short': createPatchesPng([createShortChunk('gAMA', 2)]),
  'a gAMA that contradicts the first': createPatchesPng([createGammaChunk(45_455), createGammaChunk(100_000)]),
  'a damaged gAMA': createPatchesPng([corruptChecksum(createGammaChunk(100_000))]),
  'a cHRM of nothing': createPatchesPng([createGammaChunk(100_000), createChromaticitiesChunk(0, 0, 0, 0, 0, 0, 0, 0)]),
  'a cHRM of one point': createPatchesPng([
    createGammaChunk(45_455),
    createChromaticitiesChunk(31270, 32900, 30000, 30000, 30000, 30000, 30000, 30000),
  ]),
  'a cHRM that is too short': createPatchesPng([createGammaChunk(100_000), createShortChunk('cHRM', 8)]),
} as const;
