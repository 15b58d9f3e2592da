import { Skeleton } from '../../ui/surfaces.tsx';

/** A placeholder in the shape of a product page, for the time before the product is loaded. */
export function ProductSkeleton({ title }: { title: string }) {
  return (
    <section className="wrap grid gap-10 py-10 sm:py-16 lg:grid-cols-[1.35fr_1fr] lg:gap-16">
      <h1 className="sr-only">{title}</h1>
      <div>
        <Skeleton className="aspect-3/2 w-full rounded-xl lg:aspect-4/3" />
        <div className="mt-4 grid grid-cols-3 gap-3 sm:grid-cols-6">
          {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
            <Skeleton key={key} className="aspect-3/2 w-full" />
          ))}
        </div>
      </div>
      <div className="space-y-5">
        <Skeleton className="h-8 w-32 rounded-full" />
        <Skeleton className="h-14 w-4/5" />
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-10 w-40" />
        <Skeleton className="h-64 w-full rounded-xl" />
      </div>
    </section>
  );
}
