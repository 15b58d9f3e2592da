import { useQuery } from '@tanstack/react-query';
import type { FieldValues } from 'react-hook-form';
import { ShopSettings } from '#contract/content-forms.ts';
import { query, send } from '../../data/api.ts';
import { Notice, Skeleton } from '../../ui/surfaces.tsx';
import { sectionEditingQuery, useRefreshAfterSave } from '../content/editing.ts';
import { ObjectForm } from '../content/section-form.tsx';
import { withServerValues } from '../content/sections.ts';
import { LoadErrorNotice } from '../not-loaded.tsx';
import type { AdminSearch, OnSearch } from '../search.ts';
import { uncachedQueryOptions, useMayUseArea, useSessionEndOn } from '../session.ts';
import { AuditSection } from '../staff/audit-section.tsx';
import { StaffSection } from '../staff/staff-section.tsx';
import { PhoneNotifications } from './phone-notifications.tsx';
import { OtherSettings } from './other-settings.tsx';
import { settingFields, settingsTexts } from './setting-fields.ts';

/** Settings: how the shop runs, and links to the settings that other tabs have. */
export default function SettingsTab({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const mayUseArea = useMayUseArea();
  return (
    <div className="space-y-10">
      {mayUseArea('money') && (
        <section aria-labelledby="settings-videos">
          <h2 id="settings-videos" className="title-3">
            Videos and costs
          </h2>
          <p className="mt-1 mb-5 text-muted">Changes apply as soon as you save. Visitors don’t see these values.</p>
          <SettingsForm />
        </section>
      )}
      {mayUseArea('security') && <PhoneNotifications />}
      <OtherSettings />
      {mayUseArea('security') && (
        <>
          <StaffSection />
          <AuditSection search={search} onSearch={onSearch} />
        </>
      )}
    </div>
  );
}

function SettingsForm() {
  const { data, error, refetch } = useQuery(
    sectionEditingQuery('settings', () => send('GET /api/admin/content/settings.json')),
  );
  const {
    data: server,
    error: serverError,
    refetch: refetchServer,
  } = useQuery({ ...query('/api/admin/shop-settings'), ...uncachedQueryOptions });
  useSessionEndOn(error, serverError);
  const refreshAfterSave = useRefreshAfterSave();
  const problem = (!data && error) || (!server && serverError);
  if (problem)
    return (
      <LoadErrorNotice
        title="We couldn’t load your settings"
        error={problem}
        onRetry={() => Promise.all([refetch(), refetchServer()])}
      />
    );
  if (!data || !server) return <Skeleton className="h-96 rounded-xl" />;
  return (
    <>
      {data.isUnreadable && (
        <p role="alert" className="mb-5 rounded-lg bg-linen p-4">
          We can’t read the settings that were saved. The shop uses the defaults below. If you save, you’ll replace the
          old settings.
        </p>
      )}
      {!server.canPreview && (
        <Notice className="mb-5 max-w-176" title="Previews and free videos are off">
          They work only when this server makes the videos itself (ANIMATOR=local).
        </Notice>
      )}
      <ObjectForm
        label="Settings"
        section="settings"
        schema={ShopSettings}
        fields={withServerValues(settingFields, server.setByServer)}
        values={data.value}
        texts={settingsTexts}
        fallbackText="Failed to update the settings"
        save={async (values, version = data.versions['settings']) => {
          const body = values as ShopSettings;
          await refreshAfterSave(
            send('PUT /api/admin/content/settings.json', { query: { version }, body }),
            '/data/trial.json',
          );
          return (await refetch({ throwOnError: true })).data!.value satisfies FieldValues;
        }}
      />
    </>
  );
}
