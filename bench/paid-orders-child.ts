import { doJobOfParent } from '#adapters/processes/child-side.ts';
import { comparePaidOrders } from './paid-orders-on-one-engine.ts';

doJobOfParent(comparePaidOrders);
