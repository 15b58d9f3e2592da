import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { uploads } from './photos.sql.ts';

/** The condition that a photo by this contributor exists, as SQL. */
export const contributedPhotoCondition = (contributorId: SQLWrapper): SQL =>
  sql`exists (select from ${uploads} where ${uploads.contributorId} = ${contributorId})`;

/** The condition that a photo by this contributor waits for the customer to accept it, as SQL. */
export const waitingPhotoCondition = (contributorId: SQLWrapper): SQL =>
  sql`exists (select from ${uploads} where ${uploads.contributorId} = ${contributorId} and ${uploads.waitingSince} is not null)`;
