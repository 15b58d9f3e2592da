/** `npm start`: build if needed, then become the shop. */
import { ownEnvironment } from '#server/environment.ts';
import { build } from './build.ts';
import { becomeShop } from './shop-command.ts';

await build();
ownEnvironment(); // how much room it gets depends on its role
await becomeShop('main');
