import { serveJobsOfParent } from '#adapters/processes/child-side.ts';
import { comparePaidOrders } from './paid-orders-on-one-engine.ts';

serveJobsOfParent(comparePaidOrders);
