/** `npm start`: build if needed, then become the shop. */
import { build } from './build.ts';
import { becomeShop } from './shop-command.ts';

await build();
await becomeShop('main');
