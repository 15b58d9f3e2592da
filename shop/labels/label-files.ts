import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { and, asc, eq, gte, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Storage } from '../ports/storage.ts';
import { newId } from '../columns.ts';
import { deleteOldRows, type DeleteOldRows } from '../delete-old-rows.ts';
import { storeFilesThenRow, type NamedFiles } from '../files/files.ts';
import type { Label, LabelScope } from './labels.ts';
import { labels } from './labels.sql.ts';

/** The folder of the stored labels. */
const labelFolder = 'labels/';

export interface LabelFileScope extends LabelScope {
  clock: Clock;
  storage: Storage;
  workFolder: string;
}

/** A customs form that the service does not give for so long does not hold back its label. */
const customsTriesMs = 10 * 60 * 1000;
const missingCustomsMessage =
  'The customs form could not be read. Please print it in your account at the label service';

/**
 * Fetches the PDF of a bought label and of its customs form from the service, and stores them together. Returns the
 * label.
 */
export async function storeLabelPdf(
  { db, clock, labels: service, storage, workFolder }: LabelFileScope,
  label: Label,
): Promise<Label> {
  if (!service || label.state !== 'bought' || label.pdfKey !== null || label.erasedAt !== null) return label;
  const folder = await mkdtemp(join(workFolder, 'label-'));
  try {
    const path = join(folder, 'label.pdf');
    await service.savePdf(label.shipmentId, path);
    const pdfBytes = (await stat(path)).size;
    const file = createPdfFile(path);
    const customsFile = createPdfFile(join(folder, 'customs.pdf'));
    let problem = label.problem;
    const hasCustomsPdf =
      label.customs !== null &&
      (await service.saveCustomsPdf(label.shipmentId, customsFile.path).catch((error: unknown) => {
        if (clock.now().getTime() - label.boughtAt!.getTime() < customsTriesMs) throw error;
        problem = missingCustomsMessage;
        return false;
      }));
    const isWithoutPdf = and(
      eq(labels.id, label.id),
      eq(labels.state, 'bought'),
      isNull(labels.pdfKey),
      isNull(labels.erasedAt),
    );
    const recordFiles = async () => {
      const customsPdfKey = hasCustomsPdf ? customsFile.key : null;
      const change = { pdfKey: file.key, pdfBytes, customsPdfKey, problem };
      const [named] = await db.update(labels).set(change).where(isWithoutPdf).returning();
      return named;
    };
    const files = hasCustomsPdf ? [file, customsFile] : [file];
    return (await storeFilesThenRow(storage, files, recordFiles, { isNamed: (named) => named !== undefined })) ?? label;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const createPdfFile = (path: string) => ({ key: `${labelFolder}${newId()}.pdf`, path, contentType: 'application/pdf' });

const keyColumns = { pdfKey: labels.pdfKey, customsPdfKey: labels.customsPdfKey };
const listFileKeys = ({ pdfKey, customsPdfKey }: Pick<Label, 'pdfKey' | 'customsPdfKey'>): string[] =>
  [pdfKey, customsPdfKey].filter((it) => it !== null);

export const labelNamedFiles: NamedFiles = {
  folders: [labelFolder],
  async selectNamed(db, wanted) {
    const rows = await db
      .select(keyColumns)
      .from(labels)
      .where(or(inArray(labels.pdfKey, wanted), inArray(labels.customsPdfKey, wanted)));
    return new Set(rows.flatMap(listFileKeys));
  },
  async listNamedFrom(db, name, limit) {
    const foundKeys: string[] = [];
    for (const column of [labels.pdfKey, labels.customsPdfKey]) {
      const rows = await db
        .select({ key: column })
        .from(labels)
        .where(gte(column, `${labelFolder}${name}`))
        .orderBy(asc(column))
        .limit(limit);
      foundKeys.push(...rows.flatMap((it) => it.key ?? []));
    }
    return foundKeys.toSorted().slice(0, limit);
  },
  every: sql`select unnest(array[${labels.pdfKey}, ${labels.customsPdfKey}]) as key from ${labels}`,
};

const erasedFields = { pdfKey: null, pdfBytes: null, customsPdfKey: null, erasedAt: sql`now()` };

/** Removes old labels, which contain an address. The sweep of unreferenced files then deletes the files. */
export const deleteOldLabelFiles: DeleteOldRows = async (db, before, limit) => {
  const oldestLabels = db
    .select({ id: labels.id })
    .from(labels)
    .where(and(isNotNull(labels.pdfKey), lt(labels.boughtAt, before)))
    .orderBy(labels.boughtAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  const clearedLabels = await db
    .update(labels)
    .set(erasedFields)
    .where(inArray(labels.id, oldestLabels))
    .returning({ id: labels.id });
  return clearedLabels.length;
};

/** Deletes prices that were not bought, and purchases that failed. */
export const deleteUnboughtLabels: DeleteOldRows = deleteOldRows(
  labels,
  labels.id,
  labels.updatedAt,
  sql`${labels.state} in ('quoted', 'failed')`,
);

/**
 * Removes the labels' files of these orders, because the buyer's data is deleted. The caller has locked the orders.
 * Returns the keys of the files, which the caller must delete after the commit.
 */
export async function removeLabelFilesOf(tx: Db, orderIds: string[]): Promise<string[]> {
  if (orderIds.length === 0) return [];
  const rows = await tx
    .select({ id: labels.id, ...keyColumns })
    .from(labels)
    .where(inArray(labels.orderId, orderIds))
    .orderBy(asc(labels.id))
    .for('update');
  if (rows.length === 0) return [];
  await tx
    .update(labels)
    .set(erasedFields)
    .where(
      inArray(
        labels.id,
        rows.map((it) => it.id),
      ),
    );
  return rows.flatMap(listFileKeys);
}
