import { useState } from 'react';
import { dayAfter, shortMonthText, toShopDay } from '#contract/calendar.ts';
import { buildUrl } from '../../data/api.ts';
import { Field, Select } from '../../ui/field.tsx';
import { DownloadButtons } from '../list/download-buttons.tsx';
import { Panel } from '../panel.tsx';

/** How many months the owner can choose. */
const shownMonthCount = 24;

/** This month and the months before it, latest first: 2026-12, 2026-11 … */
function listLatestMonths(): string[] {
  const months = [toShopDay(new Date()).slice(0, 7)];
  while (months.length < shownMonthCount) months.push(dayAfter(`${months.at(-1)}-01`, -1).slice(0, 7));
  return months;
}

/** The monthly file for the owner's accountant. The last full month is chosen first. */
export function MonthFile() {
  const [months] = useState(listLatestMonths);
  const [month, setMonth] = useState(months[1]!);
  const query = { month };
  return (
    <Panel title="For your accountant">
      <p className="text-muted">
        Every payment, refund, dispute and fee of one month, with the sales tax by state. The last rows compare the sum
        with your balance at the payment provider, and name each difference. Here, a refund counts in the month you made
        it.
      </p>
      <div className="mt-4 flex flex-wrap items-end gap-2">
        <Field label="Month" className="w-44">
          {(tied) => (
            <Select {...tied} value={month} onChange={(event) => setMonth(event.target.value)}>
              {months.map((it, at) => (
                <option key={it} value={it}>
                  {shortMonthText(`${it}-01`)}
                  {at === 0 && ' (so far)'}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <DownloadButtons
          csv={buildUrl('/api/analytics/month-file.csv', { query })}
          xlsx={buildUrl('/api/analytics/month-file.xlsx', { query })}
          labels={{ csv: 'Month as CSV', xlsx: 'Month for Excel' }}
        />
      </div>
    </Panel>
  );
}
