import { BookmarkPlus, Pencil, Trash2 } from 'lucide-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { SavedReply } from '#contract/owner/tickets.ts';
import { SavedReplyForm } from '#contract/support-forms.ts';
import { query, send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import {
  Form,
  FormButtons,
  FormProblem,
  TextAreaField,
  TextField,
  useFirstFocus,
  useShopForm,
} from '../../ui/form.tsx';
import { Skeleton } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { UnsavedChangesDialog } from '../keep-or-discard.tsx';
import { LoadErrorNotice } from '../not-loaded.tsx';
import { uncachedQueryOptions, useSessionEnd, useSessionEndOn } from '../session.ts';

interface Props {
  /** The customer's name, which replaces `{name}`. */
  name: string;
  onInsert: (words: string) => void;
  /** Focuses the field into which the reply was inserted. */
  onFocusField: () => void;
}

/** A button that opens the saved replies, to insert, change or delete one. */
export function SavedReplies({ name, onInsert, onFocusField }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const isInserted = useRef(false);
  return (
    <>
      <Button
        type="button"
        look="quiet"
        size="small"
        onClick={() => {
          isInserted.current = false;
          setIsOpen(true);
        }}
      >
        <BookmarkPlus aria-hidden className="size-4.5" />
        Saved replies...
      </Button>
      {isOpen && (
        <RepliesDialog
          onClose={() => setIsOpen(false)}
          onInsert={(words) => {
            onInsert(words.replaceAll('{name}', name));
            isInserted.current = true;
            setIsOpen(false);
          }}
          moveFocus={() => {
            if (isInserted.current) onFocusField();
            return isInserted.current;
          }}
        />
      )}
    </>
  );
}

const repliesQuery = query('/api/admin/saved-replies');

function RepliesDialog(props: { onInsert: (words: string) => void; onClose: () => void; moveFocus: () => boolean }) {
  const { onInsert, onClose, moveFocus } = props;
  const { data, error, refetch } = useQuery({ ...repliesQuery, ...uncachedQueryOptions });
  useSessionEndOn(error);
  const [edited, setEdited] = useState<SavedReply>();
  const editNewReply = () => setEdited({ id: crypto.randomUUID(), title: '', words: '' });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Saved replies"
      description="Texts that you use often."
      moveFocus={moveFocus}
    >
      {edited ? (
        <EditReply key={edited.id} reply={edited} onDone={() => setEdited(undefined)} />
      ) : (
        <div className="mt-5 space-y-4">
          {error && !data && (
            <LoadErrorNotice title="We couldn’t load the saved replies" error={error} onRetry={refetch} />
          )}
          {!error && !data && <Skeleton className="h-24" />}
          {data?.length === 0 && <p className="text-muted">None yet. Save a text that you write again and again.</p>}
          <ul className="divide-y divide-hair">
            {data?.map((reply) => (
              <Reply key={reply.id} reply={reply} onInsert={onInsert} onEdit={() => setEdited(reply)} />
            ))}
          </ul>
          <Button look="secondary" size="small" onClick={editNewReply}>
            New reply
          </Button>
        </div>
      )}
    </Dialog>
  );
}

function Reply({ reply, onInsert, onEdit }: { reply: SavedReply; onInsert: Props['onInsert']; onEdit: () => void }) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const [isAsking, setIsAsking] = useState(false);
  const { id, title, words } = reply;
  const deleteReply = async () => {
    try {
      const remainingReplies = await send('DELETE /api/admin/saved-replies/:id', { params: { id } });
      queryClient.setQueryData(repliesQuery.queryKey, remainingReplies);
    } catch (error) {
      toast({ title: 'Not deleted', description: errorText(error, 'Failed to delete the reply'), destructive: true });
      handleSessionEnd(error);
      throw error;
    }
  };
  return (
    <li className="py-3 first:pt-0">
      <p className="font-semibold wrap-anywhere">{title}</p>
      <p className="mt-0.5 line-clamp-3 text-[0.9375rem] wrap-anywhere text-muted">{words}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button look="secondary" size="small" aria-label={`Insert ${title}`} onClick={() => onInsert(words)}>
          Insert
        </Button>
        <Button look="quiet" size="small" aria-label={`Edit ${title}`} onClick={onEdit}>
          <Pencil aria-hidden className="size-4" />
          Edit
        </Button>
        <Button look="quiet" size="small" aria-label={`Delete ${title}`} onClick={() => setIsAsking(true)}>
          <Trash2 aria-hidden className="size-4" />
          Delete
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Delete the saved reply?"
        description={`“${title}” is deleted for everyone in the panel.`}
        confirmLabel="Delete"
        busyLabel="Deleting..."
        destructive
        onConfirm={deleteReply}
      />
    </li>
  );
}

function EditReply({ reply: { id, title, words }, onDone }: { reply: SavedReply; onDone: () => void }) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm(SavedReplyForm, {
    defaultValues: { title, words },
    onSubmit: async (body) => {
      const savedReplies = await send('PUT /api/admin/saved-replies/:id', { params: { id }, body });
      queryClient.setQueryData(repliesQuery.queryKey, savedReplies);
      onDone();
    },
    fallbackText: 'Failed to save the reply',
    onProblem: (_words, error) => handleSessionEnd(error),
  });
  useFirstFocus(form, 'title');
  return (
    <Form form={form} label="Saved reply" className="mt-5 space-y-5">
      <TextField form={form} name="title" label="Title" hint="Customers don’t see it." autoComplete="off" />
      <TextAreaField
        form={form}
        name="words"
        label="Text"
        hint="We replace {name} with the customer’s name."
        rows={8}
      />
      <FormProblem form={form} />
      <FormButtons form={form} words="Save reply" busyLabel="Saving..." onCancel={onDone} />
      <UnsavedChangesDialog isDirty={form.formState.isDirty} />
    </Form>
  );
}
