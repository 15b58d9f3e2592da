import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { shortMomentText } from '#contract/calendar.ts';
import { countText } from '#contract/count-text.ts';
import { type ApiResponseBody, query, send } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/field.tsx';
import { toast } from '../ui/toast.ts';
import { uncachedQueryOptions, useSessionEnd, useSessionEndOn } from './session.ts';

type CreatedUploadLink = ApiResponseBody<'POST /api/admin/customers/:id/generate-upload-link'>;
const linksQuery = (id: string) => query('/api/admin/customers/:id/upload-links', { params: { id } });

/**
 * A customer's upload links. A new link is copied to the clipboard, and the customer gets another one by email unless
 * the owner does not want it. All links can be ended.
 */
export function UploadLinks({ customerId }: { customerId: string }) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const { data: open = [], error } = useQuery({ ...linksQuery(customerId), ...uncachedQueryOptions });
  useSessionEndOn(error);
  const [tellCustomer, setTellCustomer] = useState(true);
  const [busy, setBusy] = useState(false);
  const [made, setMade] = useState<CreatedUploadLink>();
  const [isEnding, setIsEnding] = useState(false);
  const params = { id: customerId };
  const refresh = () => queryClient.invalidateQueries({ queryKey: linksQuery(customerId).queryKey });
  const createLink = async () => {
    setBusy(true);
    try {
      const createLinkRoute = 'POST /api/admin/customers/:id/generate-upload-link';
      const link = await send(createLinkRoute, { params, body: { tellCustomer } });
      setMade(link);
      const isCopied = await navigator.clipboard.writeText(link.uploadUrl).then(
        () => true,
        () => false,
      );
      toast({
        title: 'Upload Link Generated',
        description: `${isCopied ? 'It’s on your clipboard and' : 'Copy it below. It'} expires in ${link.expiresIn}. ${tellCustomer ? 'We also emailed a link to the customer.' : 'We didn’t email the customer.'}`,
      });
      void refresh();
    } catch (problem) {
      const failureText = errorText(problem, 'Failed to generate upload link');
      toast({ title: 'Upload Link Failed', description: failureText, destructive: true });
      handleSessionEnd(problem);
    }
    setBusy(false);
  };
  const lastLink = open.at(-1);
  return (
    <div className="mt-3">
      <Button look="secondary" size="small" busy={busy} busyLabel="Generating..." onClick={() => void createLink()}>
        <Link2 aria-hidden className="size-4.5" />
        Generate upload link
      </Button>
      <Checkbox
        className="mt-2"
        label="Email the customer a link, too"
        hint={tellCustomer ? undefined : 'Only you get the link. Copy it and send it yourself.'}
        checked={tellCustomer}
        disabled={busy}
        onChange={(event) => setTellCustomer(event.currentTarget.checked)}
      />
      {made && (
        <div className="mt-3 rounded-lg bg-linen p-3">
          <p className="font-mono text-sm break-all select-all">{made.uploadUrl}</p>
          <p className="mt-1 text-sm text-muted">We only show it once. It expires in {made.expiresIn}.</p>
          <CopyButton text={made.uploadUrl} what="the upload link">
            Copy link
          </CopyButton>
        </div>
      )}
      {lastLink && (
        <p className="mt-2 flex flex-wrap items-center gap-x-3 text-muted">
          {countText(open.length, 'upload link')} open, {open.length > 1 && 'the last '}until{' '}
          {shortMomentText(lastLink.expiresAt)}
          <button type="button" className="link min-h-11 font-semibold" onClick={() => setIsEnding(true)}>
            End {open.length === 1 ? 'it' : 'them'}
          </button>
        </p>
      )}
      <ConfirmDialog
        open={isEnding}
        onOpenChange={setIsEnding}
        title="End the upload links?"
        description="The links will stop working. Photos that were already added will stay."
        confirmLabel="End them"
        busyLabel="Ending..."
        destructive
        onConfirm={async () => {
          try {
            const { message } = await send('DELETE /api/admin/customers/:id/upload-links', { params });
            setMade(undefined);
            toast({ title: 'Upload links ended', description: message });
          } catch (problem) {
            toast({ title: 'Update Failed', description: errorText(problem), destructive: true });
            handleSessionEnd(problem);
            throw problem;
          } finally {
            void refresh();
          }
        }}
      />
    </div>
  );
}
