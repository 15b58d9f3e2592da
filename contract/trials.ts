import * as z from 'zod';
import { UploadView } from './frames.ts';
import type { Operations } from './operation.ts';
import { addPhotoRefusals, photoRefusals } from './photos.ts';
import { TrialMailForm } from './trial-forms.ts';

/**
 * The states of a trial. `waiting`: in line. `seeing`: its photo is analyzed. `animating`: its video is rendered.
 * `failed`: no video can be made from this photo.
 */
export const trialStates = ['waiting', 'seeing', 'animating', 'ready', 'failed'] as const;

/** The trial of this browser. */
export const TrialView = z
  .object({
    state: z.enum(trialStates),
    /** How many trials are before this one in line. */
    ahead: z.int(),
    /** Whether videos or previews of orders are being made. They come before all trials. */
    waitsForOrders: z.boolean(),
    /** How much of the video is rendered, 0 to 1. */
    progress: z.number(),
    originalFileName: z.string(),
    photoUrl: z.string(),
    /** Null until the video is ready. */
    filmUrl: z.string().nullable(),
    posterUrl: z.string().nullable(),
    /** When the photo and the video are erased. */
    endsAt: z.iso.datetime(),
    /** Whether the photo was already put on a frame. */
    isOnFrame: z.boolean(),
  })
  .meta({ id: 'Trial' });
export type TrialView = z.infer<typeof TrialView>;

/** The video of someone's trial, for the recipient of its link. */
export const TrialVideoView = z.object({ filmUrl: z.string(), posterUrl: z.string(), endsAt: z.iso.datetime() });
export type TrialVideoView = z.infer<typeof TrialVideoView>;

const successResponse = z.object({ success: z.boolean(), message: z.string() });
const trialOffRefusals = ['trial-off'] as const;

export const trials = {
  'GET /data/trial.json': {
    summary: 'Read whether visitors can try the shop with a photo of their own',
    who: 'anyone',
    response: z.object({ isOffered: z.boolean() }),
  },
  'GET /api/trial': {
    summary: 'Read the trial of this browser: its place in line, its progress and its video; null if there is none',
    who: 'anyone',
    response: z.object({ trial: TrialView.nullable() }),
  },
  'GET /api/trial/browser': {
    summary: 'Set the cookie that makes this browser the owner of the photo that it uploads next',
    who: 'anyone',
    response: z.object({ success: z.boolean() }),
    refusals: [...trialOffRefusals],
  },
  'POST /api/trial': {
    summary: 'Make a free video of one photo (part: image). It replaces the earlier trial of this browser',
    who: 'anyone',
    multipart: true,
    response: TrialView,
    refusals: [
      ...trialOffRefusals,
      'no-file',
      'file-too-large',
      ...photoRefusals,
      'trial-limit-reached',
      'trial-queue-full',
    ],
    rate: 'trial',
  },
  'DELETE /api/trial': {
    summary: 'Delete the trial of this browser: its photo, its video and its links',
    who: 'anyone',
    response: successResponse,
    refusals: ['not-found'],
  },
  'POST /api/trial/mail': {
    summary: 'Email a link with which the video of this browser’s trial can be watched until it is deleted',
    who: 'anyone',
    body: TrialMailForm,
    response: successResponse,
    refusals: [...trialOffRefusals, 'not-found', 'trial-not-ready', 'trial-mail-limit'],
    rate: 'trial-mail',
  },
  'POST /api/trial/claim': {
    summary: 'Put the photo of this browser’s trial on a frame of the customer, as its first photo',
    who: 'customer',
    body: z.object({ deviceId: z.string().max(64) }),
    response: UploadView,
    refusals: ['not-found', 'trial-claimed', ...addPhotoRefusals],
    rate: 'upload',
  },
  'GET /api/trial/film/:token': {
    summary: 'Open the emailed link of a trial: a cookie then gives access to its video',
    who: 'anyone',
    params: z.object({ token: z.string().max(200) }),
    response: TrialVideoView,
    refusals: ['trial-link-invalid'],
    rate: 'delivery',
  },
} satisfies Operations;
