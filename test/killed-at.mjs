/**
 * Loaded before a program with `node --import`. Kills the process with SIGKILL just before it renames a file to a name
 * that contains KILLED_AT, for the KILLED_TIMEth time. All earlier such renames are complete by then, and no later one
 * has started, although the program renames several files at once. Plain JavaScript, because it is loaded before
 * everything else.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { rename } = fs.promises;
const earlier = [];
let left = Number(process.env.KILLED_TIME);
fs.promises.rename = async (from, to) => {
  if (!String(to).includes(process.env.KILLED_AT)) return rename(from, to);
  left -= 1;
  if (left < 0) return new Promise(() => {}); // the process is about to be killed
  if (left === 0) {
    await Promise.allSettled(earlier);
    process.kill(process.pid, 'SIGKILL');
  }
  const renamed = rename(from, to);
  earlier.push(renamed);
  return renamed;
};
syncBuiltinESMExports();
