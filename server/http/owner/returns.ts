import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { ApproveReturnForm } from '#contract/return-forms.ts';
import { findOrderById } from '#shop/orders/orders.ts';
import { approveReturn, closeReturn, declineReturn, receiveReturn } from '#shop/returns/owner-returns.ts';
import { readReturnsOfOrders } from '#shop/returns/returns.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { receiveForm, type FormRules } from '../common/multipart.ts';
import { mountOperation } from '../common/serve.ts';
import { isIdempotencyKey, returnView } from '../returns.ts';

export function registerOwnerReturnRoutes({ app, shop }: HttpScope): void {
  mountOperation(app, 'GET /api/admin/orders/:id/returns', async ({ params }) => {
    if (!(await findOrderById(shop.db, params.id))) throw new Refusal('not-found');
    return (await readReturnsOfOrders(shop.db, [params.id])).map(returnView);
  });

  const form: FormRules = {
    workFolder: shop.workFolder,
    fileFields: ['label'],
    fileBytes: limits.labelBytes,
    noForm: 'return-incomplete',
    tooLarge: () => new Refusal('label-too-large'),
  };
  mountOperation(app, 'POST /api/admin/returns/:id/approve', ({ params, request }) =>
    receiveForm(request, form, async ({ fields, files }) => {
      const { answer = '', labelLink = '', tellCustomer, key } = fields;
      const { data } = ApproveReturnForm.safeParse({ answer, labelLink, tellCustomer: tellCustomer === 'true' });
      if (!data || !isIdempotencyKey(key)) throw new Refusal('return-incomplete');
      const approval = { ...data, key, label: files['label'] };
      return returnView(await approveReturn(shop, params.id, approval, getAuditAuthor(request)));
    }),
  );

  mountOperation(app, 'POST /api/admin/returns/:id/decline', async ({ params, body, request }) =>
    returnView(await declineReturn(shop, params.id, body, getAuditAuthor(request))),
  );

  mountOperation(app, 'POST /api/admin/returns/:id/receive', async ({ params, body, request }) =>
    returnView(await receiveReturn(shop, params.id, body, getAuditAuthor(request))),
  );

  mountOperation(app, 'POST /api/admin/returns/:id/close', async ({ params, body, request }) =>
    returnView(await closeReturn(shop, params.id, body, getAuditAuthor(request))),
  );
}
