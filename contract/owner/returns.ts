import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';
import { photoRefusals } from '#contract/photos.ts';
import { CloseReturnForm, DeclineReturnForm, ReceiveReturnForm } from '#contract/return-forms.ts';
import { ReturnView } from '#contract/returns.ts';

const id = z.object({ id: z.string().max(64) });

export const ownerReturns = {
  'GET /api/admin/orders/:id/returns': {
    summary: 'List the returns of an order, newest first',
    who: 'admin',
    area: 'returns',
    params: id,
    response: z.array(ReturnView),
    refusals: ['not-found'],
  },
  'POST /api/admin/returns/:id/approve': {
    summary:
      'Approve a return, or change its label (parts: answer, labelLink, tellCustomer, key: a UUID for one email, and optionally label: a PDF or an image)',
    who: 'admin',
    area: 'returns',
    params: id,
    multipart: true,
    response: ReturnView,
    refusals: [
      'not-found',
      'return-incomplete',
      'return-answer-needed',
      'return-changed',
      'label-type',
      'label-too-large',
      ...photoRefusals,
    ],
  },
  'POST /api/admin/returns/:id/decline': {
    summary: 'Decline a return with a reason',
    who: 'admin',
    area: 'returns',
    params: id,
    body: DeclineReturnForm,
    response: ReturnView,
    refusals: ['not-found', 'return-changed'],
  },
  'POST /api/admin/returns/:id/receive': {
    summary: 'Record that the package of a return has arrived',
    who: 'admin',
    area: 'returns',
    params: id,
    body: ReceiveReturnForm,
    response: ReturnView,
    refusals: ['not-found', 'return-changed'],
  },
  'POST /api/admin/returns/:id/close': {
    summary: 'End a return without a refund: the frame was replaced, or nothing else is due',
    who: 'admin',
    area: 'returns',
    params: id,
    body: CloseReturnForm,
    response: ReturnView,
    refusals: ['not-found', 'return-changed'],
  },
} satisfies Operations;
