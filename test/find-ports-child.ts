/** A process that finds free ports, sends them to its parent, and runs until the parent disconnects. */
import { findFreePort } from './free-port.ts';

const ports: number[] = [];
for (let i = 0; i < 60; i++) ports.push(await findFreePort());
process.send!(ports);
process.once('disconnect', () => process.exit());
