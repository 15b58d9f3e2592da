/**
 * Loaded before a program (`node --import`): it is killed, as by -9, when it is about to give a file a name with the words
 * of KILLED_AT for the KILLED_TIMEth time. Plain JavaScript, as it is loaded before anything else.
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
