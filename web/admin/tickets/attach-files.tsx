import { Paperclip, X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import type { TicketFile } from '#contract/owner/tickets.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FieldError } from '../../ui/field.tsx';
import { useSessionEnd } from '../session.ts';

/**
 * The files that the owner sends with an answer. While `isUploading` is true, an answer would leave out a file, so it
 * must not be sent.
 */
export function useAnswerFiles() {
  const [files, setFiles] = useState<TicketFile[]>([]);
  const [isUploading, setIsUploading] = useState(false);
  return { files, setFiles, isUploading, setIsUploading, fileIds: files.map((it) => it.id) };
}
export type AnswerFiles = ReturnType<typeof useAnswerFiles>;

/** A button to add files to an answer, and the list of added files. Each file is uploaded at once. */
export function AttachFiles(props: {
  answerFiles: AnswerFiles;
  /** Buttons next to this one. */
  children?: ReactNode;
}) {
  const { answerFiles, children } = props;
  const { files, setFiles, isUploading, setIsUploading } = answerFiles;
  const input = useRef<HTMLInputElement>(null);
  const handleSessionEnd = useSessionEnd();
  const [problem, setProblem] = useState<string>();
  const isFull = files.length >= limits.answerFiles;
  const uploadFiles = async (chosen: File[]) => {
    setIsUploading(true);
    setProblem(undefined);
    try {
      for (const file of chosen.slice(0, limits.answerFiles - files.length)) {
        const form = new FormData();
        form.append('file', file);
        const addedFile = await send('POST /api/admin/answer-files', { form });
        setFiles((before) => [...before, addedFile]);
      }
      if (chosen.length > limits.answerFiles - files.length)
        setProblem(`An answer can have ${limits.answerFiles} files. We left out the others.`);
    } catch (error) {
      setProblem(errorText(error, 'Failed to add the file'));
      handleSessionEnd(error);
    } finally {
      setIsUploading(false);
    }
  };
  return (
    <div>
      <input
        ref={input}
        type="file"
        aria-label="Files for this answer"
        multiple
        hidden
        accept="image/*,.heic,.heif,application/pdf"
        onChange={(event) => {
          void uploadFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = ''; // the same file can be chosen again
        }}
      />
      {files.length > 0 && (
        <ul aria-label="Added files" className="mb-2 flex flex-wrap gap-2">
          {files.map((file) => (
            <li
              key={file.id}
              className="inline-flex max-w-full items-center gap-1 rounded-lg border border-hair pl-3 text-[0.9375rem]"
            >
              <a href={file.url} target="_blank" rel="noreferrer" className="link min-w-0 truncate">
                {file.name}
              </a>
              <Button
                type="button"
                look="quiet"
                size="small"
                aria-label={`Remove ${file.name}`}
                onClick={() => setFiles((before) => before.filter((it) => it.id !== file.id))}
              >
                <X aria-hidden className="size-4" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {/* A quiet button has no border, so its icon aligns with the fields above. */}
      <div className="-mx-4 flex flex-wrap">
        <Button
          type="button"
          look="quiet"
          size="small"
          busy={isUploading}
          busyLabel="Uploading..."
          disabled={isFull}
          onClick={() => input.current?.click()}
        >
          <Paperclip aria-hidden className="size-4.5" />
          {isFull ? `${limits.answerFiles} files added` : 'Attach files...'}
        </Button>
        {children}
      </div>
      <div role="alert">
        <FieldError words={problem} />
      </div>
    </div>
  );
}
