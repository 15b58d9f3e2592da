import { doJobOfParent } from '../../processes/child-side.ts';
import { createDatabase } from './durable-pglite.ts';

doJobOfParent(createDatabase);
