import { useState } from 'react';
import { errorWords } from '../data/error-words.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.ts';
import { useGoTo, useSessionEnd } from './customer.ts';

interface Props {
  words: string;
  /** The title of what is said where it cannot be opened. */
  failure: string;
  open: () => Promise<{ path: string }>;
}

/** To the page of the mail that said so, for who has lost it. */
export function OpenMailed({ words, failure, open }: Props) {
  const goTo = useGoTo();
  const noteEnd = useSessionEnd();
  const [busy, setBusy] = useState(false);
  const follow = async () => {
    setBusy(true);
    try {
      goTo((await open()).path);
    } catch (error) {
      toast({ title: failure, description: errorWords(error), destructive: true });
      noteEnd(error);
      setBusy(false);
    }
  };
  return (
    <Button className="needs-script" busy={busy} busyWords="Opening..." onClick={() => void follow()}>
      {words}
    </Button>
  );
}
