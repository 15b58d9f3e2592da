import { Download, FileSpreadsheet } from 'lucide-react';
import { StepUpDownload } from '../step-up/step-up-download.tsx';
import type { Downloads } from './list-query.ts';

const usualLabels = { csv: 'Export CSV', xlsx: 'Export Excel' };

/** Buttons to download the rows of a list or table as CSV or as an Excel workbook. */
export function DownloadButtons({ csv, xlsx, labels = usualLabels }: Downloads & { labels?: Downloads }) {
  return (
    <>
      <StepUpDownload look="secondary" to={csv} className="max-sm:px-4">
        <Download aria-hidden className="size-4.5" />
        {labels.csv}
      </StepUpDownload>
      <StepUpDownload look="secondary" to={xlsx} className="max-sm:px-4">
        <FileSpreadsheet aria-hidden className="size-4.5" />
        {labels.xlsx}
      </StepUpDownload>
    </>
  );
}
