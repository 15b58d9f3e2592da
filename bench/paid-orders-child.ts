import { doJobsOfParent } from '#adapters/processes/child-side.ts';
import { comparePaidOrders } from './paid-orders-on-one-engine.ts';

doJobsOfParent(comparePaidOrders);
