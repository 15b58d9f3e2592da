import { buildUrl } from '../../data/api.ts';
import { DownloadButtons } from '../list/download-buttons.tsx';
import { Panel } from '../panel.tsx';

/** The sales tax by month and state, for the owner's tax returns. Only a file: it has up to 60 states in each month. */
export const SalesTax = () => (
  <Panel title="Sales tax by month and state">
    <p className="text-muted">
      For your tax returns: sales, sales tax and refunds of each month and state, for the last two years. A refund
      counts in the month of its order.
    </p>
    <div className="mt-4 flex flex-wrap gap-2">
      <DownloadButtons
        csv={buildUrl('/api/analytics/sales-tax.csv')}
        xlsx={buildUrl('/api/analytics/sales-tax.xlsx')}
        labels={{ csv: 'Sales tax as CSV', xlsx: 'Sales tax for Excel' }}
      />
    </div>
  </Panel>
);
