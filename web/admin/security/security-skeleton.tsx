import { Skeleton } from '../../ui/surfaces.tsx';

export function SecuritySkeleton() {
  return (
    <div aria-busy className="mt-6 space-y-3">
      <Skeleton className="h-7 w-56" />
      <Skeleton className="h-20" />
    </div>
  );
}
