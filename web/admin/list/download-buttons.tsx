import { Download, FileSpreadsheet } from 'lucide-react';
import { StepUpDownload } from '../step-up/step-up-download.tsx';
import type { Downloads } from './list-query.ts';

/** Buttons to download the rows of a list or table as CSV or as an Excel workbook. */
export function DownloadButtons({ csv, xlsx }: Downloads) {
  return (
    <>
      <StepUpDownload look="secondary" to={csv} className="max-sm:px-4">
        <Download aria-hidden className="size-4.5" />
        Export CSV
      </StepUpDownload>
      <StepUpDownload look="secondary" to={xlsx} className="max-sm:px-4">
        <FileSpreadsheet aria-hidden className="size-4.5" />
        Export Excel
      </StepUpDownload>
    </>
  );
}
