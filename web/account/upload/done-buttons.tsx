import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { useGoTo } from '../customer.ts';

/** The two answers to "Are you done adding photos?". */
export function DoneButtons({ busy, onDone }: { busy: boolean; onDone: () => void }) {
  const goTo = useGoTo();
  return (
    <div className="mt-6 grid gap-3">
      <Button size="large" wide busy={busy} busyLabel="Finishing..." onClick={onDone}>
        Yes, I'm Done!
      </Button>
      <Button look="secondary" size="large" wide disabled={busy} onClick={() => goTo(paths.uploadComplete('comeback'))}>
        No, I'll Come Back Later
      </Button>
    </div>
  );
}
