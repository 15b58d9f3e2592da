import { Download, Frame, RotateCcw, Trash2 } from 'lucide-react';
import { type Ref, useEffect, useState } from 'react';
import { momentWords } from '#contract/calendar.ts';
import { TrialMailForm } from '#contract/trial-forms.ts';
import type { TrialView } from '#contract/trials.ts';
import { send } from '../data/api.ts';
import { errorWords } from '../data/error-words.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Form, FormProblem, SubmitButton, TextField, useShopForm } from '../ui/form.tsx';
import { Link } from '../ui/link.tsx';
import { Card, Notice } from '../ui/surfaces.tsx';
import { expectToasts, toast } from '../ui/toast.ts';
import { VideoLoop } from '../ui/video-loop.tsx';
import { TrialFrame } from './trial-frame.tsx';

interface Props {
  trial: TrialView;
  headingRef: Ref<HTMLHeadingElement>;
  onAnother: () => void;
  onErased: () => void;
}

/** The finished film of a trial, and what the visitor can do with it. */
export function FilmReady({ trial, headingRef, onAnother, onErased }: Props) {
  useEffect(expectToasts, []);
  const [isErasing, setIsErasing] = useState(false);
  const { filmUrl, posterUrl, endsAt, isOnFrame } = trial;
  const erase = async () => {
    try {
      await send('DELETE /api/trial');
    } catch (error) {
      toast({ title: 'Not erased', description: errorWords(error), destructive: true });
      throw error;
    }
    onErased();
  };
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)] lg:gap-12">
      <div>
        <TrialFrame>
          <VideoLoop
            src={filmUrl ?? ''}
            poster={posterUrl ?? undefined}
            label="The film of your photo"
            className="size-full"
          />
        </TrialFrame>
        <div className="mt-5 flex flex-wrap gap-3">
          <LinkButton to={filmUrl ?? ''} download="kinframe-film.mp4" look="secondary">
            <Download aria-hidden className="size-5" />
            Download
          </LinkButton>
          <Button look="quiet" onClick={onAnother}>
            <RotateCcw aria-hidden className="size-5" />
            Try another photo
          </Button>
          <Button look="quiet" onClick={() => setIsErasing(true)}>
            <Trash2 aria-hidden className="size-5" />
            Erase it now
          </Button>
        </div>
      </div>
      <div className="space-y-6">
        <Card>
          <h2 ref={headingRef} tabIndex={-1} className="title-3 outline-none">
            Your film is ready
          </h2>
          {isOnFrame ? (
            <>
              <p className="mt-3 text-muted">Your photo is on your frame. Its video is made with your others.</p>
              <LinkButton wide size="large" className="mt-5" to={paths.upload} preload={false}>
                My Uploads
              </LinkButton>
            </>
          ) : (
            <>
              <p className="mt-3 text-muted">
                Put it on a frame: your photo becomes the first of your twenty. We make its video again, without the
                word in the corner.
              </p>
              <LinkButton wide size="large" className="mt-5" to={paths.kinframe}>
                <Frame aria-hidden className="size-5" />
                Put it on a frame
              </LinkButton>
              <p className="mt-4 text-[0.9375rem] text-muted">
                After your order, the upload page in this browser asks whether to add it, until {momentWords(endsAt)}.
                Do you already have a Kinframe?{' '}
                <Link to={paths.upload} preload={false} className="link">
                  Add it in My Uploads
                </Link>
                .
              </p>
            </>
          )}
        </Card>
        <SendToMyself />
      </div>
      <ConfirmDialog
        open={isErasing}
        onOpenChange={setIsErasing}
        title="Erase your film?"
        description="We erase the photo and the film now. Links that you sent stop working. A photo that is already on a frame stays there."
        confirmWords="Erase"
        busyWords="Erasing..."
        destructive
        onConfirm={erase}
      />
    </div>
  );
}

function SendToMyself() {
  const [sentTo, setSentTo] = useState<string>();
  const form = useShopForm(TrialMailForm, {
    onSubmit: async (body) => {
      setSentTo(undefined);
      await send('POST /api/trial/mail', { body });
      setSentTo(body.email);
    },
  });
  return (
    <Card>
      <Form form={form} label="Send it to myself" className="space-y-4">
        <TextField
          form={form}
          name="email"
          label="Send it to myself"
          hint="We email you a link to watch it, and then forget your address."
          type="email"
          inputMode="email"
          autoComplete="email"
        />
        <FormProblem form={form} />
        <SubmitButton form={form} look="secondary" wide busyWords="Sending...">
          Send the link
        </SubmitButton>
      </Form>
      <div role="status">
        {sentTo !== undefined && (
          <Notice tone="good" className="mt-4">
            The link is on its way to {sentTo}.
          </Notice>
        )}
      </div>
    </Card>
  );
}
