/** `npm start`: build if needed, then run the shop in this process. */
import { build } from './build.ts';

await build();
await import(`${import.meta.dirname}/../dist/shop/main.js`);
