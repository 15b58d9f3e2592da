/** The process that `npm start` becomes. It runs Node with its own arguments and forwards signals to that process. */
import { superviseShopProcess } from './supervise.ts';

const { stop } = superviseShopProcess(process.argv.slice(2));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
