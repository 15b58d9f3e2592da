import { doJobOfParent } from '../processes/child-side.ts';
import { developPhoto } from './develop.ts';

doJobOfParent(developPhoto);
