import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

interface Manifest {
  pictures: Record<string, { width: number; height: number; widths: number[]; color: string }>;
}

/**
 * `virtual:generated-pictures`: the sizes and the color of each picture in public/media/media.json. The texts of that file
 * are left out, because pages do not need them.
 */
export function createGeneratedPicturesPlugin(root: string): Plugin {
  const file = resolve(root, 'public/media/media.json');
  const id = '\0virtual:generated-pictures';
  return {
    name: 'generated-pictures',
    resolveId: (source) => (source === 'virtual:generated-pictures' ? id : undefined),
    load(loaded) {
      if (loaded !== id) return;
      this.addWatchFile(file);
      const { pictures }: Manifest = existsSync(file)
        ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest)
        : { pictures: {} };
      const shortEntries = Object.entries(pictures).map(([name, { width, height, widths, color }]) => [
        name,
        [width, height, widths, color],
      ]);
      return `export default ${JSON.stringify(Object.fromEntries(shortEntries))}`;
    },
  };
}
