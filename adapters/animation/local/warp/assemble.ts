/** `node adapters/animation/local/warp/assemble.ts` after a change of warp.wat: writes warp-code.ts anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import loadWabt from 'wabt';

export async function assemble(): Promise<string> {
  const name = 'warp.wat';
  const source = (await loadWabt()).parseWat(name, readFileSync(join(import.meta.dirname, name), 'utf8'));
  source.validate();
  return Buffer.from(source.toBinary({}).buffer).toString('base64');
}

if (import.meta.main) {
  const words = '/** warp.wat in machine words, written by assemble.ts. */';
  const code = `${words}\nexport const warpCode =\n  '${await assemble()}';\n`;
  writeFileSync(join(import.meta.dirname, 'warp-code.ts'), code);
}
