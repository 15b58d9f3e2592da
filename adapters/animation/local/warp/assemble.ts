/** Run `node adapters/animation/local/warp/assemble.ts` after a change of warp.wat: it writes warp-code.ts again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import binaryen from 'binaryen';

/**
 * Functions up to this size are inlined here, because V8 does not inline them, and a call costs as much as processing
 * eight values.
 */
const inlineSizeLimit = 400;

export function assembleWarpCode(): string {
  const code = binaryen.parseText(readFileSync(join(import.meta.dirname, 'warp.wat'), 'utf8'));
  code.setFeatures(binaryen.Features.SIMD128);
  if (!code.validate()) throw new Error('warp.wat is not valid');
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  binaryen.setAlwaysInlineMaxSize(inlineSizeLimit);
  binaryen.setFlexibleInlineMaxSize(inlineSizeLimit);
  code.optimize();
  return Buffer.from(code.emitBinary()).toString('base64');
}

if (import.meta.main) {
  const text = '/** warp.wat in machine words, written by assemble.ts. */';
  const code = `${text}\nexport const warpCode =\n  '${assembleWarpCode()}';\n`;
  writeFileSync(join(import.meta.dirname, 'warp-code.ts'), code);
}
