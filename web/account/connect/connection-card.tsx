import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck, QrCode, Wifi } from 'lucide-react';
import { type SubmitEvent, useId, useMemo, useRef, useState } from 'react';
import { dayText } from '#contract/calendar.ts';
import type { FrameLimits } from '#contract/frames.ts';
import { limits } from '#contract/limits.ts';
import { refusals } from '#contract/refusals.ts';
import { tidyFrameCode } from '#contract/tidy.ts';
import { send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Field, FieldError, TextInput } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { Card, Notice } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery } from '../limits-query.ts';
import type { InputProblem } from '../input-problem.ts';
import { findConnectionProblem, findQrProblem } from './connection-check.ts';
import { readQr } from './read-qr.ts';

/**
 * The customer enters how staff can connect to the frame: an invitation code, a photo of the frame's QR code, or both.
 */
export function ConnectionCard({
  frame,
  name,
}: {
  frame: FrameLimits;
  /** The card's title on a page that shows several frames. */
  name?: string | undefined;
}) {
  const [isChanging, setIsChanging] = useState(false);
  const isSaved = frame.connectionStatus !== 'none';
  return (
    <Card>
      <h2 className="title-3 flex items-center gap-3">
        <Wifi aria-hidden className="size-6 shrink-0 text-accent" />
        {name ?? 'Connect your frame'}
      </h2>
      {isSaved && <SavedConnection frame={frame} />}
      {frame.isErased ? (
        <>
          <p className="mt-3 text-muted">{refusals['frame-erased'].words}</p>
          <LinkButton look="secondary" wide to={paths.upload} className="mt-5">
            Add photos
          </LinkButton>
        </>
      ) : isSaved && !isChanging ? (
        <Button look="secondary" wide className="mt-5" onClick={() => setIsChanging(true)}>
          Change the details
        </Button>
      ) : (
        <>
          {!isSaved && (
            <p className="mt-2 text-muted">
              {frame.deviceType === 'byof' ? 'Your own frame' : 'Your frame'} shows an invitation code and a QR code.
              Send us one of them, and we’ll put your videos on the frame.{' '}
              {frame.deviceType === 'byof' ? 'Don’t have the frame with you?' : 'Hasn’t your frame arrived yet?'} You
              can do this later, even after you’re done with your photos. Just open your order.
            </p>
          )}
          <ConnectionForm
            key={frame.deviceId}
            frame={frame}
            name={name ?? frame.deviceName}
            onSaved={() => setIsChanging(false)}
          />
        </>
      )}
      {!frame.isErased && (
        <p className="mt-5 flex flex-wrap gap-x-5 text-[0.9375rem]">
          <Link to={paths.connectionGuide} className="link inline-flex min-h-11 items-center">
            How to find the code
          </Link>
          <Link
            to={paths.connectionGuidePdf}
            download
            className="link inline-flex min-h-11 items-center whitespace-nowrap"
          >
            Guide as PDF
          </Link>
        </p>
      )}
    </Card>
  );
}

function SavedConnection({ frame }: { frame: FrameLimits }) {
  const { connectionStatus, connectionSince, invitationCode, qrPhotoPath } = frame;
  return (
    <div className="mt-4 space-y-4">
      {connectionStatus === 'connected' ? (
        <p className="flex items-start gap-2 font-medium text-good">
          <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0" />
          Your frame is connected{connectionSince && `, since ${dayText(connectionSince)}`}.
        </p>
      ) : (
        <Notice tone="good" title="Connection details saved">
          {connectionSince && `Saved on ${dayText(connectionSince)}. `}The details will be processed within 24 hours.
        </Notice>
      )}
      <dl className="space-y-3">
        {invitationCode && (
          <div>
            <dt className="text-[0.9375rem] text-muted">Invitation code</dt>
            <dd className="font-mono text-lg break-all">{invitationCode}</dd>
          </div>
        )}
        {qrPhotoPath && (
          <div>
            <dt className="text-[0.9375rem] text-muted">QR photo</dt>
            <dd>
              <img
                src={qrPhotoPath}
                alt="The QR code you sent"
                className="mt-1 h-28 w-28 rounded-md bg-clay object-cover"
                width={112}
                height={112}
              />
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

function ConnectionForm({ frame, name, onSaved }: { frame: FrameLimits; name: string; onSaved: () => void }) {
  const queryClient = useQueryClient();
  const handleSessionEnd = useSessionEnd();
  const [code, setCode] = useState(frame.invitationCode ?? '');
  const [photo, setPhoto] = useState<File>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [isRead, setIsRead] = useState<boolean>();
  const hasTyped = useRef(false);
  const latestFile = useRef<File>(undefined);
  const showProblem = ({ title, words }: InputProblem) => {
    setProblem(words);
    toast({ title, description: words, destructive: true });
  };
  const chooseQrPhoto = async (file: File | undefined) => {
    const inputProblem = file && findQrProblem(file);
    setProblem(undefined);
    if (inputProblem) showProblem(inputProblem);
    const validFile = inputProblem ? undefined : file;
    latestFile.current = validFile;
    setPhoto(validFile);
    setIsRead(undefined);
    const text = validFile && (await readQr(validFile));
    if (latestFile.current !== validFile) return;
    if (validFile) setIsRead(text !== undefined);
    // The code in the new picture replaces the saved code, but not a code that the customer has typed.
    if (!hasTyped.current) setCode(toInvitationCode(text) || (frame.invitationCode ?? ''));
  };

  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const inputProblem = findConnectionProblem({ code, photo });
    setProblem(undefined);
    if (inputProblem) return showProblem(inputProblem);
    const form = new FormData();
    if (tidyFrameCode(code)) form.set('invitationCode', tidyFrameCode(code));
    if (photo) form.set('qrPhoto', photo);
    setBusy(true);
    try {
      const { message } = await send('PUT /api/devices/:id/connection', { params: { id: frame.deviceId }, form });
      await queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
      toast({ title: 'Connection details saved', description: message });
      onSaved();
    } catch (error) {
      const message = errorText(error, 'Failed to update connection information. Please try again.');
      setProblem(message);
      toast({ title: 'Update Failed', description: message, destructive: true });
      handleSessionEnd(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form noValidate aria-label={`Connect ${name}`} onSubmit={(event) => void save(event)} className="mt-5 space-y-5">
      <Field label="Invitation code" optional>
        {(tied) => (
          <TextInput
            {...tied}
            name="invitationCode"
            value={code}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            onChange={(event) => {
              hasTyped.current = true;
              setCode(event.currentTarget.value);
            }}
            className="font-mono"
          />
        )}
      </Field>
      <QrChooser photo={photo} onChoose={(chosen) => void chooseQrPhoto(chosen)} />
      <p role="status" className="text-[0.9375rem] text-muted empty:hidden">
        {isRead === true && 'We can read the code in your photo.'}
        {isRead === false && 'We can’t read the code in this photo. You can still send it, or try a sharper one.'}
      </p>
      <FieldError words={problem} />
      <Button type="submit" wide busy={busy} busyLabel="Saving..." look="secondary">
        Save connection details
      </Button>
    </form>
  );
}

/** The text of a picture's QR code, if it is short enough to be an invitation code. */
const toInvitationCode = (text = '') => (text.length <= limits.invitationCodeCharacters ? text : '');

function QrChooser({ photo, onChoose }: { photo: File | undefined; onChoose: (photo: File | undefined) => void }) {
  const fileInputRef = useRef<HTMLInputElement>(null);
  const id = useId();
  const previewUrl = useMemo(() => photo && URL.createObjectURL(photo), [photo]);
  return (
    <div>
      <p id={id} className="mb-1.5 font-semibold">
        Photo of the QR code <span className="font-normal text-muted">(optional)</span>
      </p>
      <div className="flex items-center gap-4">
        {previewUrl ? (
          <img
            src={previewUrl}
            onLoad={() => URL.revokeObjectURL(previewUrl)} // the image stays visible after the URL is revoked
            alt="The QR code you chose"
            className="size-18 shrink-0 rounded-md bg-clay object-cover"
          />
        ) : (
          <span className="grid size-18 shrink-0 place-items-center rounded-md bg-linen text-muted">
            <QrCode aria-hidden className="size-8" />
          </span>
        )}
        <div className="min-w-0">
          <Button
            look="secondary"
            size="small"
            onClick={() => fileInputRef.current?.click()}
            aria-label={photo ? 'Choose another QR photo' : 'Choose QR photo'}
          >
            {photo ? 'Choose another' : 'Choose QR photo'}
          </Button>
          <p className="mt-1 truncate text-[0.9375rem] text-muted">{photo ? photo.name : 'JPEG or PNG'}</p>
        </div>
      </div>
      <input
        ref={fileInputRef}
        type="file"
        name="qrPhoto"
        accept="image/jpeg,image/png"
        aria-labelledby={id}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => onChoose(event.currentTarget.files?.[0])}
      />
    </div>
  );
}
