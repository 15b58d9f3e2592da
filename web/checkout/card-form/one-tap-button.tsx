import { Zap } from 'lucide-react';
import { Button } from '../../ui/button.tsx';

/** The button that the sandbox shows in place of Stripe's wallet buttons. */
export const OneTapButton = ({ onClick, disabled }: { onClick: () => void; disabled?: boolean }) => (
  <Button
    wide
    size="large"
    look="secondary"
    className="border-ink bg-ink text-paper hover:bg-night hover:text-paper"
    disabled={disabled}
    onClick={onClick}
  >
    <Zap aria-hidden className="size-5" />
    Pay with one tap
  </Button>
);
