import { doJobsOfParent } from '../processes/child-side.ts';
import { developPhoto } from './develop.ts';

doJobsOfParent(developPhoto);
