import { sweepFiles, type StoppedSweep } from '#shop/files/sweep.ts';
import { queueMail } from '#shop/mail/mail.ts';
import type { Db } from '#shop/ports/database.ts';
import { namedFiles } from '../named-files.ts';
import type { Shop } from '../shop.ts';
import { deleteOldWorkFiles } from '../work-folder.ts';
import type { JobRegistrar } from './observed-jobs.ts';

export async function registerFileJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  const { config, log, workFolder } = shop;
  await jobs.startWorkers('sweep-files', async (_, { signal }) => {
    await deleteOldWorkFiles(workFolder);
    const sweepResult = await sweepFiles({
      ...shop,
      fileSources: namedFiles,
      isLimited: config.limitsSweep,
      notifyOwner: await createOwnerNotifier(shop),
      signal,
    });
    if (sweepResult.isStopped) log.error(sweepResult, 'too many stored files without a row at once: none is swept');
    else if (sweepResult.trashed + sweepResult.restored + sweepResult.erased > 0)
      log.info(sweepResult, 'stored files swept');
  });
  await jobs.schedule('sweep-files', '17 * * * *');
}

async function createOwnerNotifier(shop: Shop) {
  const mailAddress = await shop.ownerEmail();
  return (tx: Db, { files, orphans, at }: StoppedSweep) =>
    queueMail(tx, shop, {
      event: `sweep-stopped:${at.toISOString()}`,
      to: mailAddress,
      content: {
        kind: 'owner-sweep-stopped',
        files,
        orphans,
        stoppedAt: at.toISOString(),
        adminUrl: shop.link('/admin'),
      },
    });
}
