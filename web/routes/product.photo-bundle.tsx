import { createFileRoute, redirect } from '@tanstack/react-router';
import { paths } from '../paths.ts';

/** `photo-bundle` is the catalog's other name for the photo package (specification 3, Names). Redirects to its page. */
export const Route = createFileRoute('/product/photo-bundle')({
  beforeLoad: () => {
    throw redirect({ to: paths.bundle, replace: true });
  },
});
