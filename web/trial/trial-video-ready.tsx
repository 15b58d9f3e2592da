import { Download, Frame, RotateCcw } from 'lucide-react';
import { type Ref, useState } from 'react';
import { momentText } from '#contract/calendar.ts';
import { TrialMailForm } from '#contract/trial-forms.ts';
import type { TrialView } from '#contract/trials.ts';
import { send } from '../data/api.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Form, FormProblem, SubmitButton, TextField, useShopForm } from '../ui/form.tsx';
import { Link } from '../ui/link.tsx';
import { Card, Notice } from '../ui/surfaces.tsx';
import { VideoLoop } from '../ui/video-loop.tsx';
import { DeleteTrial } from './delete-trial.tsx';
import { TrialFrame } from './trial-frame.tsx';

interface Props {
  trial: TrialView;
  headingRef: Ref<HTMLHeadingElement>;
  /** Undefined if the shop offers no trials at the moment. Then no link can be mailed, either. */
  onAnother: (() => void) | undefined;
  onDeleted: () => void;
}

/** The finished video of a trial, and what the visitor can do with it. */
export function TrialVideoReady({ trial, headingRef, onAnother, onDeleted }: Props) {
  const { filmUrl, posterUrl, endsAt, isOnFrame } = trial;
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)] lg:gap-12">
      <div>
        <TrialFrame>
          <VideoLoop
            src={filmUrl ?? ''}
            poster={posterUrl ?? undefined}
            label="The video made from your photo"
            className="size-full"
          />
        </TrialFrame>
        <div className="mt-5 flex flex-wrap gap-3">
          <LinkButton to={filmUrl ?? ''} download="kinframe-video.mp4" look="secondary">
            <Download aria-hidden className="size-5" />
            Download
          </LinkButton>
          {onAnother && (
            <Button look="quiet" onClick={onAnother}>
              <RotateCcw aria-hidden className="size-5" />
              Try another photo
            </Button>
          )}
          <DeleteTrial onDeleted={onDeleted} />
        </div>
      </div>
      <div className="space-y-6">
        <Card>
          <h2 ref={headingRef} tabIndex={-1} className="title-3 outline-none">
            Your video is ready
          </h2>
          {isOnFrame ? (
            <>
              <p className="mt-3 text-muted">
                Your photo is on your frame. We’ll make its video along with your others.
              </p>
              <LinkButton wide size="large" className="mt-5" to={paths.upload} preload={false}>
                My Uploads
              </LinkButton>
            </>
          ) : (
            <>
              <p className="mt-3 text-muted">
                Put it on a frame, and your photo becomes the first of your twenty. We’ll make the video again, without
                the watermark.
              </p>
              <LinkButton wide size="large" className="mt-5" to={paths.kinframe}>
                <Frame aria-hidden className="size-5" />
                Put it on a frame
              </LinkButton>
              <p className="mt-4 text-[0.9375rem] text-muted">
                After your order, the upload page in this browser asks whether to add it, until {momentText(endsAt)}. Do
                you already have a Kinframe?{' '}
                <Link to={paths.upload} preload={false} className="link">
                  Add it in My Uploads
                </Link>
                .
              </p>
            </>
          )}
        </Card>
        {onAnother && <MailLinkForm />}
      </div>
    </div>
  );
}

function MailLinkForm() {
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
          hint="We’ll email you a link to your video, then delete your email address."
          type="email"
          inputMode="email"
          autoComplete="email"
        />
        <FormProblem form={form} />
        <SubmitButton form={form} look="secondary" wide busyLabel="Sending...">
          Send the link
        </SubmitButton>
      </Form>
      <div role="status">
        {sentTo !== undefined && (
          <Notice tone="good" className="mt-4">
            We’re emailing the link to {sentTo}.
          </Notice>
        )}
      </div>
    </Card>
  );
}
