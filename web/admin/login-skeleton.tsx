import { Skeleton } from '../ui/surfaces.tsx';

export function LoginSkeleton() {
  return (
    <section aria-busy className="wrap flex min-h-[85dvh] flex-col items-center justify-center py-10">
      <div className="w-full max-w-md">
        <h1 className="sr-only">Admin sign-in</h1>
        <Skeleton className="h-96 rounded-xl" />
      </div>
    </section>
  );
}
