import type { FastifyRequest } from 'fastify';
import type { By, PanelPerson } from '#shop/audit/audit.ts';

const people = new WeakMap<FastifyRequest, PanelPerson>();

/** Stores the person whom the guard has found. Only the guard and the sign-in call it. */
export const rememberPerson = (request: FastifyRequest, person: PanelPerson): void => void people.set(request, person);

/** The signed-in person of a call of the panel. The guard has already checked that there is one. */
export function personOf(request: FastifyRequest): PanelPerson {
  const person = people.get(request);
  if (!person) throw new Error('This route has not identified the person with guards.admin');
  return person;
}

/** The request and its person, for the audit trail. */
export const byOf = (request: FastifyRequest): By => ({ requestId: request.id, person: people.get(request) });
