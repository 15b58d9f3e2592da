/**
 * Loaded before a program with `node --import`. Kills the process with SIGKILL just before it renames a file to a name
 * that contains KILLED_AT, for the KILLED_TIMEth time. Plain JavaScript, because it is loaded before everything else.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { rename } = fs.promises;
let left = Number(process.env.KILLED_TIME);
fs.promises.rename = async (from, to) => {
  if (String(to).includes(process.env.KILLED_AT)) left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  await rename(from, to);
};
syncBuiltinESMExports();
