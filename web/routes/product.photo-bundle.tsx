import { createFileRoute, redirect } from '@tanstack/react-router';
import { paths } from '../paths.ts';

/** The catalogue's other name of the photo package (specification 3, Names). */
export const Route = createFileRoute('/product/photo-bundle')({
  beforeLoad: () => {
    throw redirect({ to: paths.bundle, replace: true });
  },
});
