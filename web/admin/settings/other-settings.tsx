import { useQuery } from '@tanstack/react-query';
import { dayText } from '#contract/calendar.ts';
import { countText } from '#contract/count-text.ts';
import { type ApiResponseBody, query } from '../../data/api.ts';
import { Link } from '../../ui/link.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { weekdayNames } from '../content/compared-fields.ts';
import { uncachedQueryOptions, useSessionEndOn } from '../session.ts';

/** The settings that other parts of the panel have, with their values. Each one is changed in one place only. */
export function OtherSettings() {
  const days = useQuery({ ...query('/api/admin/shipping-settings'), ...uncachedQueryOptions });
  const shipping = useQuery({ ...query('/api/admin/content/shipping.json'), ...uncachedQueryOptions });
  const stock = useQuery({ ...query('/api/admin/stock'), ...uncachedQueryOptions });
  const reminders = useQuery({ ...query('/api/admin/cart-reminders', { query: {} }), ...uncachedQueryOptions });
  const sheet = useQuery({ ...query('/api/admin/day-sheet'), ...uncachedQueryOptions });
  const site = useQuery({ ...query('/api/admin/content/site.json'), ...uncachedQueryOptions });
  useSessionEndOn(days.error, shipping.error, stock.error, reminders.error, sheet.error, site.error);
  const rows = [
    {
      label: 'Handling and transit',
      value: formatResult(
        days,
        ({ inUse }) => `${inUse.handlingDays} + ${countText(inUse.transitDays, 'business day')}`,
      ),
      path: '/admin?tab=content&section=shipping',
      where: 'Content, Shipping',
    },
    {
      label: 'You ship on',
      value: formatResult(shipping, ({ shipsOn }) => shippingDaysText(shipsOn)),
      path: '/admin?tab=content&section=shipping',
      where: 'Content, Shipping',
    },
    {
      label: 'Vacation',
      value: formatResult(shipping, vacationText),
      path: '/admin?tab=content&section=shipping',
      where: 'Content, Shipping',
    },
    {
      label: 'Frames left to sell',
      value: formatResult(stock, ({ framesLeft }) => (framesLeft === null ? 'Not counted' : String(framesLeft))),
      path: '/admin?tab=content&section=stock',
      where: 'Content, Stock',
    },
    {
      label: 'Cart reminders',
      value: formatResult(reminders, ({ isOn }) => (isOn ? 'On' : 'Off')),
      path: '/admin?tab=analytics',
      where: 'Analytics',
    },
    {
      label: 'Daily to-do email',
      value: formatResult(sheet, ({ isMailed }) => (isMailed ? 'On' : 'Off')),
      path: '/admin?tab=orders',
      where: 'Orders & Uploads, Your to-do list',
    },
    {
      label: 'Emails to you go to',
      value: formatResult(site, ({ contactEmail }) => contactEmail),
      path: '/admin?tab=content&section=site',
      where: 'Content, Site Settings',
    },
  ];
  return (
    <section aria-labelledby="settings-elsewhere">
      <h2 id="settings-elsewhere" className="title-3">
        Settings in other tabs
      </h2>
      <p className="mt-1 mb-5 text-muted">
        For your password, passkeys and codes, use Security at the top. Payments, email delivery and backups are set on
        the server.
      </p>
      <Card className="max-w-176 py-2 sm:py-3">
        <dl className="divide-y divide-hair">
          {rows.map(({ label, value, path, where }) => (
            <div key={label} className="grid gap-x-4 py-3 sm:grid-cols-[minmax(0,12rem)_minmax(0,1fr)_auto]">
              <dt className="font-semibold">{label}</dt>
              <dd className="wrap-anywhere">{value}</dd>
              <dd>
                <Link to={path} preload={false} className="link inline-block py-1 sm:py-0">
                  {where}
                </Link>
              </dd>
            </div>
          ))}
        </dl>
      </Card>
    </section>
  );
}

/** The value as a text. Three dots while it loads; a dash if it could not be loaded. */
function formatResult<T>(
  { data, error }: { data: T | undefined; error: Error | null },
  textOf: (data: T) => string,
): string {
  if (data !== undefined) return textOf(data);
  return error ? '–' : '…';
}

type Shipping = ApiResponseBody<'GET /api/admin/content/shipping.json'>;

const shippingDaysText = (days: number[]) =>
  days.length === weekdayNames.length ? 'Any day' : days.map((it) => weekdayNames[it]).join(', ');

function vacationText({ vacationFrom, vacationTo }: Shipping): string {
  return vacationFrom === '' ? 'None' : `${dayText(vacationFrom)} to ${dayText(vacationTo)}`;
}
