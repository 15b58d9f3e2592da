import type { FastifyRequest } from 'fastify';
import type { AuditAuthor, PanelPerson } from '#shop/audit/audit.ts';

const peopleByRequest = new WeakMap<FastifyRequest, PanelPerson>();

/** Stores the person whom the guard has found. Only the guard and the sign-in call it. */
export const rememberPerson = (request: FastifyRequest, person: PanelPerson): void =>
  void peopleByRequest.set(request, person);

/** The signed-in person of a call of the panel. The guard has already checked that there is one. */
export function personOf(request: FastifyRequest): PanelPerson {
  const person = peopleByRequest.get(request);
  if (!person) throw new Error('This route has not identified the person with guards.admin');
  return person;
}

/** The request and its person, for the audit trail. */
export const getAuditAuthor = (request: FastifyRequest): AuditAuthor => ({
  requestId: request.id,
  person: peopleByRequest.get(request),
});
