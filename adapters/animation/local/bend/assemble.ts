/** `node adapters/animation/local/bend/assemble.ts` after a change of bend-row.wat: writes bend-row.ts anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import loadWabt from 'wabt';

export async function assemble(): Promise<string> {
  const name = 'bend-row.wat';
  const source = (await loadWabt()).parseWat(name, readFileSync(join(import.meta.dirname, name), 'utf8'));
  source.validate();
  return Buffer.from(source.toBinary({}).buffer).toString('base64');
}

if (import.meta.main) {
  const words = '/** bend-row.wat in machine words, written by assemble.ts. */';
  const code = `${words}\nexport const bendRowCode =\n  '${await assemble()}';\n`;
  writeFileSync(join(import.meta.dirname, 'bend-row.ts'), code);
}
