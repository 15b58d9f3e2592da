/** `npm start`: builds if needed, then runs the shop under the supervisor. */
import { readOwnEnvironment } from '#server/environment.ts';
import { build } from './build.ts';
import { replaceProcessWithSupervisor } from './shop-command.ts';

await build();
readOwnEnvironment(); // read .env first, because the memory settings depend on ROLE
await replaceProcessWithSupervisor('main');
