import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { uploads } from './photos.sql.ts';

/** Whether a photo that this contributor brought waits to be accepted, inside another query. */
export const isAwaitedOf = (contributorId: SQLWrapper): SQL =>
  sql`exists (select from ${uploads} where ${uploads.contributorId} = ${contributorId} and ${uploads.waitingSince} is not null)`;
