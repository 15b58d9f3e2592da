import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { House, Keyboard, LogOut, Search, ShieldCheck } from 'lucide-react';
import { type ComponentType, lazy, useEffect, useRef, useState } from 'react';
import { formatDollars } from '#contract/catalog.ts';
import { formatCount } from '#contract/count-text.ts';
import { canUse, roleNames } from '#contract/owner/areas.ts';
import { useGoTo } from '../account/customer.ts';
import { type ApiResponseBody, query, send } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { LazyBoundary, MissingPart } from '../ui/lazy-boundary.tsx';
import { Skeleton } from '../ui/surfaces.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { expectToasts, toast } from '../ui/toast.ts';
import { OrdersTab } from './orders/orders-tab.tsx';
import { ProductionTab } from './production/production-tab.tsx';
import { CommandPalette } from './command-palette.tsx';
import { TicketsTab } from './tickets/tickets-tab.tsx';
import { AdminSkeleton } from './admin-skeleton.tsx';
import { OwnerTodoList } from './day-sheet.tsx';
import { useLiveUpdates } from './live.ts';
import { setAdminManifest } from './admin-manifest.ts';
import { useSaleToasts } from './sale-toasts.ts';
import { SecurityDialog } from './security/security-dialog.tsx';
import { rememberAdminPath } from './return-path.ts';
import { RoleNotice } from './role-notice.tsx';
import { type AdminSearch, type AdminTab, type OnSearch, listTabsFor } from './search.ts';
import { adminSessionQuery, clearAdminData, uncachedQueryOptions, useMayUseArea, useSessionEndOn } from './session.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { StepUpDialog } from './step-up/step-up-dialog.tsx';
import { useFinderKey, useShortcuts } from './shortcuts.ts';
import { addTrustedTypesPolicy } from './trusted-types.ts';

addTrustedTypesPolicy();

const redirectMs = 200;
/** Makes the header's buttons narrow enough for four in a row on a phone. */
const narrowScreenClasses = 'max-sm:gap-1.5 max-sm:px-1.5';
/** Clears the search params of the previous tab when another tab opens. */
const emptyAdminSearch: AdminSearch = Object.fromEntries(
  (
    [
      'q',
      'filter',
      'sort',
      'after',
      'columns',
      'customer',
      'order',
      'ticket',
      'view',
      'range',
      'section',
      'person',
      'part',
    ] satisfies (keyof AdminSearch)[]
  ).map((it) => [it, undefined]),
);
/** The tabs. The code of Orders, Production and Support Tickets loads with the panel, of other tabs on opening. */
const tabContents: Record<AdminTab, ComponentType<Omit<Props, 'shopName'>>> = {
  customers: lazy(() => import('./people/customers-tab.tsx').then((it) => ({ default: it.CustomersTab }))),
  orders: OrdersTab,
  production: ProductionTab,
  users: lazy(() => import('./people/users-tab.tsx').then((it) => ({ default: it.UsersTab }))),
  gallery: lazy(() => import('./gallery/gallery-tab.tsx')),
  content: lazy(() => import('./content/content-tab.tsx')),
  support: TicketsTab,
  analytics: lazy(() => import('./analytics/analytics-tab.tsx')),
  settings: lazy(() => import('./settings/settings-tab.tsx')),
};

type Person = NonNullable<ApiResponseBody<'GET /api/admin/session'>['admin']>;
interface Props {
  shopName: string;
  search: AdminSearch;
  onSearch: OnSearch;
}

/** /admin: the owner's panel. Redirects a browser without a session to the sign-in page. */
export function AdminPage(props: Props) {
  const { data: session } = useQuery(adminSessionQuery());
  const { history } = useRouter();
  const goTo = useGoTo();
  const isSignedOut = session?.isAuthenticated === false;
  const wasSignedIn = useRef(false);
  useEffect(expectToasts, []);
  useEffect(() => {
    if (!isSignedOut) {
      wasSignedIn.current = session !== undefined;
      return;
    }
    const timer = setTimeout(() => {
      const { pathname, href } = history.location;
      if (pathname !== paths.admin) return; // the owner signed out and another page is already opening
      rememberAdminPath(href);
      const hadSession = wasSignedIn.current || session.ended !== undefined;
      goTo(hadSession ? paths.adminSessionEnded(session.ended) : paths.adminLogin, { replace: true });
    }, redirectMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- redirect once when the session ends
  }, [isSignedOut]);
  return session?.admin ? <AdminPanel {...props} person={session.admin} /> : <AdminSkeleton />;
}

function AdminPanel({ shopName, search, onSearch, person }: Props & { person: Person }) {
  const [helpIsOpen, setHelpIsOpen] = useState(false);
  const [finderIsOpen, setFinderIsOpen] = useState(false);
  const [securityIsOpen, setSecurityIsOpen] = useState(false);
  useEffect(setAdminManifest, []);
  const tabs = listTabsFor(person.role);
  // A link may name a tab that the role does not have. The panel then says so.
  const { tab = tabs.some(({ value }) => value === 'orders') ? 'orders' : tabs[0]!.value } = search;
  const isAllowed = tabs.some(({ value }) => value === tab);
  const seesOrders = canUse(person.role, 'orders');
  useLiveUpdates(useSaleToasts(seesOrders));
  const openTab = (next: AdminTab) => onSearch({ ...emptyAdminSearch, tab: next });
  useShortcuts({
    '?': () => setHelpIsOpen(true),
    ...Object.fromEntries(tabs.map(({ value }, at) => [at + 1, () => openTab(value)])),
  });
  useFinderKey(() => setFinderIsOpen(true));
  return (
    <div className="mx-auto w-full max-w-[100rem] px-4 pb-16 text-base sm:px-6 lg:px-8">
      <header className="flex min-h-18 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
        <div>
          <h1 className="font-serif text-2xl font-medium">{shopName} admin</h1>
          {person.isStaff && (
            <p className="text-[0.9375rem] text-muted">
              {person.username}, {roleNames[person.role]}
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-1 max-sm:-mx-1.5 max-sm:gap-0">
          <Button look="quiet" size="small" className={narrowScreenClasses} onClick={() => setFinderIsOpen(true)}>
            <Search aria-hidden className="size-4.5" />
            Find
          </Button>
          <Button look="quiet" size="small" onClick={() => setHelpIsOpen(true)} className="max-lg:hidden">
            <Keyboard aria-hidden className="size-4.5" />
            Shortcuts
          </Button>
          <LinkButton look="quiet" size="small" className={narrowScreenClasses} to={paths.home}>
            <House aria-hidden className="size-4.5" />
            Home
          </LinkButton>
          <Button look="quiet" size="small" className={narrowScreenClasses} onClick={() => setSecurityIsOpen(true)}>
            <ShieldCheck aria-hidden className="size-4.5" />
            Security
          </Button>
          <SignOut />
        </div>
      </header>
      {seesOrders && tab === 'orders' && <Stats />}
      <OwnerTodoList isFolded={tab !== 'orders'}>{seesOrders && tab !== 'orders' && <Stats inLine />}</OwnerTodoList>
      <div className="mt-6">
        <Tabs
          label="Admin"
          look="many"
          activation="manual"
          value={isAllowed ? tab : ''}
          onChange={(value) => openTab(value as AdminTab)}
          tabs={tabs.map(({ value, label }) => ({
            value,
            label,
            content: <TabContent tab={value} search={search} onSearch={onSearch} />,
          }))}
        />
        {!isAllowed && <RoleNotice tab={tab} className="mt-6" />}
      </div>
      <CommandPalette open={finderIsOpen} onOpenChange={setFinderIsOpen} />
      <ShortcutsDialog open={helpIsOpen} onOpenChange={setHelpIsOpen} tabs={tabs.length} />
      <StepUpDialog />
      <SecurityDialog open={securityIsOpen} onOpenChange={setSecurityIsOpen} />
    </div>
  );
}

function TabContent({ tab, ...props }: Omit<Props, 'shopName'> & { tab: AdminTab }) {
  const Content = tabContents[tab];
  return (
    <LazyBoundary waiting={<Skeleton className="h-96 rounded-xl" />} instead={<MissingPart inPlace />}>
      <Content {...props} />
    </LazyBoundary>
  );
}

function SignOut() {
  const queryClient = useQueryClient();
  const goTo = useGoTo();
  const [busy, setBusy] = useState(false);
  const signOut = async () => {
    setBusy(true);
    try {
      const { message } = await send('POST /api/admin/logout');
      clearAdminData(queryClient);
      toast({ title: 'Logged Out', description: message });
      goTo(paths.adminLogin);
    } catch (error) {
      toast({ title: 'Logout Failed', description: errorText(error), destructive: true });
      setBusy(false);
    }
  };
  return (
    <Button look="quiet" size="small" className={narrowScreenClasses} busy={busy} onClick={() => void signOut()}>
      <LogOut aria-hidden className="size-4.5" />
      Sign Out
    </Button>
  );
}

/** The numbers of the shop. In the other tabs they are a line, so that the tab begins further up. */
function Stats({ inLine = false }: { inLine?: boolean }) {
  const mayUseArea = useMayUseArea();
  const { data, error } = useQuery({ ...query('/api/admin/stats'), ...uncachedQueryOptions });
  useSessionEndOn(error);
  const cards = [
    { label: 'Total orders', value: data && formatCount(data.totalOrders) },
    { label: 'Total users', value: data && formatCount(data.totalUsers) },
    { label: 'Total uploads', value: data && formatCount(data.totalUploads) },
    ...(mayUseArea('money') ? [{ label: 'Total revenue', value: data && formatDollars(data.totalRevenue ?? 0) }] : []),
  ];
  if (inLine)
    return (
      <dl className="flex flex-wrap gap-x-5 text-[0.9375rem] max-lg:hidden">
        {cards.map(({ label, value }) => (
          <div key={label} className="flex gap-1.5">
            <dt className="text-muted">{label}</dt>
            <dd className="font-semibold tabular-nums">{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
    );
  return (
    <dl className="grid grid-cols-[minmax(0,4fr)_minmax(0,5fr)] gap-2 sm:grid-cols-2 sm:gap-3 md:grid-cols-4">
      {cards.map(({ label, value }) => (
        <div
          key={label}
          className="rounded-lg border border-hair bg-card px-2 py-1.5 max-sm:flex max-sm:flex-wrap max-sm:items-baseline max-sm:justify-between max-sm:gap-x-1.5 sm:px-4 sm:py-3 lg:px-5"
        >
          <dt className="text-xs text-muted sm:text-sm">{label}</dt>
          <dd className="font-serif text-sm font-medium tabular-nums sm:mt-0.5 sm:text-xl lg:text-[1.75rem]">
            {value ??
              (error ? <span title={errorText(error)}>–</span> : <Skeleton className="h-6 w-16 lg:h-9 lg:w-24" />)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
