import { sql } from 'drizzle-orm';
import type { Db } from '../ports/database.ts';
import type { NamedFiles } from '../files/files.ts';
import { content } from './content.sql.ts';

/** The folder of pictures and videos that the owner uploaded for pages. Content refers to them by their addresses. */
const contentFolder = 'content/';
export const contentFileKey = (filename: string) => contentFolder + filename;
export const contentFileUrl = (filename: string) => `/${contentFolder}${filename}`;

const fileNamePattern = String.raw`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(?:jpg|mp4|webm)`;
/** Whether the file name has the form that the shop creates: a random id and a known file extension. */
export const isContentFileName = (filename: string) => new RegExp(`^${fileNamePattern}$`).test(filename);

/** The names of content files that appear anywhere in the value. */
export const findContentFilesIn = (value: unknown) =>
  Array.from(
    JSON.stringify(value).matchAll(new RegExp(`/${contentFolder}(${fileNamePattern})`, 'g')),
    ([, filename]) => filename!,
  );

/** There are only about ten sections, so each query reads all of them completely. */
const namedInContent = sql`
  select distinct found.parts[1] as filename
  from ${content}, regexp_matches(${content.value}::text, ${`/${contentFolder}(${fileNamePattern})`}, 'g') as found(parts)`;
const readNamedFiles = (db: Db) => db.execute<{ filename: string }>(sql`${namedInContent} order by filename`);

export const contentFiles: NamedFiles = {
  folders: [contentFolder],
  async selectNamed(db, keys) {
    const contentKeys = keys.filter((key) => key.startsWith(contentFolder));
    if (contentKeys.length === 0) return new Set();
    const { rows } = await readNamedFiles(db);
    const namedKeys = new Set(rows.map(({ filename }) => contentFileKey(filename)));
    return new Set(contentKeys.filter((key) => namedKeys.has(key)));
  },
  async listNamedFrom(db, first, limit) {
    const { rows } = await readNamedFiles(db);
    return rows
      .map(({ filename }) => filename)
      .filter((filename) => filename >= first)
      .slice(0, limit)
      .map(contentFileKey);
  },
  every: sql`select ${contentFolder}::text || filename as key from (${namedInContent}) as named`,
};
