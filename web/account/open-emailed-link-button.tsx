import { useState } from 'react';
import { errorText } from '../data/error-text.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.ts';
import { useGoTo, useSessionEnd } from './customer.ts';

interface Props {
  words: string;
  /** The title of the message if the page cannot be opened. */
  failure: string;
  open: () => Promise<{ path: string }>;
}

/** A button that opens a page to which the shop has emailed a link, for customers who lost the email. */
export function OpenEmailedLinkButton({ words, failure, open }: Props) {
  const goTo = useGoTo();
  const handleSessionEnd = useSessionEnd();
  const [busy, setBusy] = useState(false);
  const openLink = async () => {
    setBusy(true);
    try {
      goTo((await open()).path);
    } catch (error) {
      toast({ title: failure, description: errorText(error), destructive: true });
      handleSessionEnd(error);
      setBusy(false);
    }
  };
  return (
    <Button className="needs-script" busy={busy} busyLabel="Opening..." onClick={() => void openLink()}>
      {words}
    </Button>
  );
}
