import { CircleUserRound, LogOut, Package, UserRoundCog } from 'lucide-react';
import * as Menu from 'radix-ui/dropdown-menu';
import { useState } from 'react';
import type { Customer } from '#contract/accounts.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { useSignOut } from '../signed-in.tsx';

const itemClasses =
  'flex min-h-12 cursor-pointer items-center gap-3 rounded-md px-3 font-medium outline-none data-[highlighted]:bg-linen';

/** Shows the signed-in customer, and the sign-out button. */
export function AccountMenu({ customer }: { customer: Customer }) {
  const signOut = useSignOut();
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger
        aria-label={`Account of ${customer.firstName}`}
        className="needs-script inline-flex min-h-11 shrink-0 items-center gap-2 rounded-full border border-edge bg-card px-4 font-semibold transition-colors hover:border-ink hover:bg-linen focus-visible:rounded-full"
      >
        <CircleUserRound aria-hidden className="size-5" />
        <span className="max-w-32 truncate">{customer.firstName || 'Account'}</span>
      </Menu.Trigger>
      <Menu.Content
        align="end"
        sideOffset={8}
        className="z-50 w-72 max-w-[calc(100vw-2rem)] animate-fade rounded-lg border border-hair bg-card p-2 shadow-lifted"
      >
        <Menu.Label className="px-3 py-2">
          <span className="block font-semibold">
            {customer.firstName} {customer.lastName}
          </span>
          <span className="block text-[0.9375rem] break-words text-muted">{customer.email}</span>
        </Menu.Label>
        <Menu.Separator className="my-2 h-px bg-hair" />
        <Menu.Item className={itemClasses} asChild>
          <Link to={paths.orders}>
            <Package aria-hidden className="size-5" />
            Your orders
          </Link>
        </Menu.Item>
        <Menu.Item className={itemClasses} asChild>
          <Link to={paths.account}>
            <UserRoundCog aria-hidden className="size-5" />
            Your account
          </Link>
        </Menu.Item>
        <Menu.Item
          className={itemClasses}
          disabled={isLeaving}
          onSelect={() => {
            setIsLeaving(true);
            void signOut();
          }}
        >
          <LogOut aria-hidden className="size-5" />
          Sign Out
        </Menu.Item>
      </Menu.Content>
    </Menu.Root>
  );
}
