import { paths } from '../paths.ts';
import { Link } from './link.tsx';

/** Links to the terms and the privacy policy. `by` is the action that means agreement: "By paying". */
export const Agreement = ({ by, className }: { by: string; className?: string }) => (
  <p className={className}>
    {by} you agree to our{' '}
    <Link to={paths.terms} className="link">
      Terms
    </Link>{' '}
    and{' '}
    <Link to={paths.privacy} className="link">
      Privacy Policy
    </Link>
    .
  </p>
);
