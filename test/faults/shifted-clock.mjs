/**
 * Loaded before the shop with `node --import`. Moves its clock ahead by the milliseconds in the file CLOCK_AHEAD, which
 * is read again at SIGUSR2. Plain JavaScript, because it is loaded before everything else.
 */
import { readFileSync } from 'node:fs';

const real = Date;
let aheadMs = 0;
const now = () => real.now() + aheadMs;
function read() {
  aheadMs = Number(readFileSync(process.env.CLOCK_AHEAD, 'utf8'));
  process.stderr.write(`the clock is ahead by ${aheadMs} ms\n`);
}
process.on('SIGUSR2', read);
read();

globalThis.Date = new Proxy(real, {
  construct: (_, args) => (args.length === 0 ? new real(now()) : Reflect.construct(real, args)),
  apply: () => new real(now()).toString(),
  get: (_, name) => (name === 'now' ? now : Reflect.get(real, name)),
});
