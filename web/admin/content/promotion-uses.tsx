import { useQuery } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import type { FieldValues } from 'react-hook-form';
import { query } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { uncachedQueryOptions } from '../session.ts';

/** The number of orders paid with a promotion's code, and a link that applies the code. */
export function PromotionUses({ item: promo }: { item: FieldValues }) {
  const { data } = useQuery({ ...query('/api/admin/promotion-uses'), ...uncachedQueryOptions });
  const code = String(promo['discountCode'] ?? '').trim();
  if (code === '') return null;
  const usedCount = data?.find((it) => it.code === code.toUpperCase())?.used ?? 0;
  const usageCap = promo['usageCap'] as number | null;
  const link = `${location.origin}/?code=${encodeURIComponent(code)}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      toast({ title: 'Link copied', description: link });
    } catch {
      toast({ title: 'Copy failed', description: `Please copy it yourself: ${link}`, destructive: true });
    }
  };
  return (
    <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-hair pt-4 text-muted">
      <p>{data && (usageCap === null ? `Used ${usedCount} times` : `Used ${usedCount} of ${usageCap} times`)}</p>
      <Button look="quiet" size="small" onClick={() => void copy()}>
        <Link2 aria-hidden className="size-4.5" />
        Copy link
      </Button>
    </div>
  );
}
