import { Skeleton } from '../ui/surfaces.tsx';

export function AdminSkeleton() {
  return (
    <section aria-busy className="mx-auto w-full max-w-[100rem] px-4 sm:px-6 lg:px-8">
      <h1 className="sr-only">Admin</h1>
      <div className="flex h-18 items-center">
        <Skeleton className="h-8 w-48" />
      </div>
      <div className="grid grid-cols-[minmax(0,4fr)_minmax(0,5fr)] gap-2 sm:grid-cols-2 sm:gap-3 md:grid-cols-4">
        {[0, 1, 2, 3].map((it) => (
          <Skeleton key={it} className="h-10 rounded-lg sm:h-20 lg:h-22" />
        ))}
      </div>
      <Skeleton className="mt-6 h-14 rounded-full" />
      <Skeleton className="mt-6 h-96 rounded-lg" />
    </section>
  );
}
