import * as z from 'zod';
import { CollectLinkForm, ContributorForm, InvitationForm } from './collect-forms.ts';
import { CaptionForm } from './delivery-forms.ts';
import { UploadView } from './frames.ts';
import type { Operations } from './operation.ts';
import { photoRefusals } from './photos.ts';

export const collectStates = ['open', 'full', 'paused', 'ended', 'finalized'] as const;
export type CollectState = (typeof collectStates)[number];

/** What a contributor sees. It includes only their own photos. */
export const ContributorView = z.object({
  state: z.enum(collectStates),
  /** What the photos are for, in the customer's words. */
  name: z.string(),
  customerFirstName: z.string(),
  endsAt: z.iso.datetime(),
  remainingPhotos: z.int(),
  /** Null until the contributor enters a first name in this browser. */
  firstName: z.string().nullable(),
  photos: z.array(
    UploadView.pick({
      id: true,
      url: true,
      thumbnailUrl: true,
      originalFileName: true,
      fileSize: true,
      sha256: true,
      width: true,
      height: true,
      uploadedAt: true,
      caption: true,
      isLocked: true,
      isWaiting: true,
    }),
  ),
});
export type ContributorView = z.infer<typeof ContributorView>;

/** A frame's collect link as its customer sees it. */
export const CollectLinkView = z.object({
  /** The latest link. Null if there was none. */
  link: z
    .object({ name: z.string(), state: z.enum(collectStates), createdAt: z.iso.datetime(), endsAt: z.iso.datetime() })
    .nullable(),
  /** The latest day on which a new link may end. */
  latestDay: z.iso.date(),
  /** The photos that contributors added through any of the frame's links, by contributor. */
  contributions: z.array(z.object({ id: z.string(), firstName: z.string(), photos: z.array(UploadView) })),
});
export type CollectLinkView = z.infer<typeof CollectLinkView>;

const token = z.string().max(200);
const id = z.string().max(64);
const frameParams = z.object({ id });
const successResponse = z.object({ success: z.boolean(), message: z.string() });
const rate = 'collect';

export const collect = {
  'GET /api/devices/:id/collect-link': {
    summary: 'Read the collect link of a frame of the customer, and the photos of each contributor',
    who: 'customer',
    params: frameParams,
    response: CollectLinkView,
    refusals: ['not-found'],
  },
  'POST /api/devices/:id/collect-link': {
    summary: 'Create a collect link with which others add photos to a frame until the end of a chosen day',
    who: 'customer',
    params: frameParams,
    body: CollectLinkForm,
    /** Returned only once, because only its hash is stored. */
    response: z.object({ url: z.string() }),
    refusals: ['not-found', 'collect-day-outside', 'collect-link-open', 'frame-finalized', 'frame-refunded'],
  },
  'POST /api/devices/:id/collect-link/address': {
    summary: 'Create another address of the same collect link, to share',
    who: 'customer',
    params: frameParams,
    response: z.object({ url: z.string() }),
    refusals: ['not-found', 'collect-ended'],
  },
  'POST /api/devices/:id/collect-link/invitations': {
    summary: 'Mail the collect link to an email address, at most once a day per mailbox',
    who: 'customer',
    params: frameParams,
    body: InvitationForm,
    response: successResponse,
    refusals: ['not-found', 'collect-ended', 'too-many-invitations'],
  },
  'PUT /api/devices/:id/collect-link': {
    summary: 'Pause or resume the collect link',
    who: 'customer',
    params: frameParams,
    body: z.object({ isPaused: z.boolean() }),
    response: successResponse,
    refusals: ['not-found', 'collect-ended'],
  },
  'DELETE /api/devices/:id/collect-link': {
    summary: 'End the collect link and keep its photos',
    who: 'customer',
    params: frameParams,
    response: successResponse,
    refusals: ['not-found'],
  },
  'POST /api/devices/:id/accept-photos': {
    summary: 'Accept contributors’ photos as the customer’s own',
    who: 'customer',
    params: frameParams,
    body: z.object({ ids: z.array(id).min(1).max(1000) }),
    response: successResponse,
    refusals: ['not-found', 'frame-finalized', 'frame-refunded'],
  },
  'GET /api/collect/:token': {
    summary: 'Read the state of a collect link and the contributor’s own photos',
    who: 'anyone',
    params: z.object({ token }),
    response: ContributorView,
    refusals: ['collect-link-invalid'],
    rate,
  },
  'POST /api/collect/:token/contributors': {
    summary: 'Enter or correct the contributor’s first name; a cookie identifies the contributor afterwards',
    who: 'anyone',
    params: z.object({ token }),
    body: ContributorForm,
    response: successResponse,
    refusals: ['collect-link-invalid', 'collect-paused', 'collect-ended', 'collect-finalized', 'too-many-contributors'],
    rate,
  },
  'POST /api/collect/:token/photos': {
    summary: 'Add one photo (parts: image, and optionally key: a UUID under which the photo is added once)',
    who: 'contributor',
    params: z.object({ token }),
    multipart: true,
    response: ContributorView.shape.photos.element,
    refusals: [
      'collect-full',
      'collect-paused',
      'collect-ended',
      'collect-finalized',
      'too-many-contributors',
      'no-file',
      'not-found',
      'file-too-large',
      ...photoRefusals,
    ],
    rate: 'upload',
  },
  'PUT /api/collect/:token/photos/:id': {
    summary: 'Write the title of the contributor’s own photo, until the customer accepts the photo',
    who: 'contributor',
    params: z.object({ token, id }),
    body: CaptionForm,
    response: ContributorView.shape.photos.element,
    refusals: ['not-found', 'photo-accepted', 'collect-finalized', 'collect-ended'],
    rate,
  },
  'DELETE /api/collect/:token/photos/:id': {
    summary: 'Remove the contributor’s own photo',
    who: 'contributor',
    params: z.object({ token, id }),
    response: successResponse,
    refusals: ['not-found', 'collect-finalized'],
    rate,
  },
} satisfies Operations;
