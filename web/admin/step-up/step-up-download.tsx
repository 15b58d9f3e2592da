import type { MouseEvent } from 'react';
import { errorText } from '../../data/error-text.ts';
import { LinkButton } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../session.ts';
import { stepUpBeforeDownload } from './step-up.ts';

/** A download that needs a recent step-up. The panel asks for it before the browser starts the download. */
export function StepUpDownload(props: Omit<Parameters<typeof LinkButton>[0], 'download' | 'onClick'>) {
  const handleSessionEnd = useSessionEnd();
  const startDownload = async (event: MouseEvent<HTMLAnchorElement>) => {
    event.preventDefault();
    try {
      if (await stepUpBeforeDownload()) downloadFrom(props.to);
    } catch (error) {
      toast({ title: 'Download failed', description: errorText(error), destructive: true });
      handleSessionEnd(error);
    }
  };
  return <LinkButton {...props} download onClick={(event) => void startDownload(event)} />;
}

function downloadFrom(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
