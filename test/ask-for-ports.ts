/** A process that asks for ports, tells them to the one that started it, and lives as long as that one likes. */
import { findFreePort } from './free-port.ts';

const ports: number[] = [];
for (let i = 0; i < 60; i++) ports.push(await findFreePort());
process.send!(ports);
process.once('disconnect', () => process.exit());
