// Renders one frame of a gallery piece as a preview: node art/preview.ts kite out.png [t]
import { writeFileSync } from 'node:fs';
import { pieces } from './gallery/pieces.ts';
import { FRAMES, renderAct } from './gallery/stage.ts';

const [name = 'kite', out = 'preview.png', t = '0'] = process.argv.slice(2);
const show = await renderAct(name, await pieces[name]!.act());
show.draw(Math.round(Number(t) * FRAMES));
writeFileSync(out, show.canvas.toBuffer('image/png'));
