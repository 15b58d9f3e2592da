/** `npm run unlock` lets the owner try passwords and codes again. */
import { runCommand } from './backup/command.ts';
import { unlockShop } from './unlock-shop.ts';

await runCommand(unlockShop);
