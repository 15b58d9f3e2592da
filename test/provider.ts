import { PaymentProviderError, type CardPayments } from '#shop/ports/card-payments.ts';

/** The sandbox with some changed methods, while `state.isOn` is true. */
export function createFaultyProvider(change: (real: CardPayments) => Partial<CardPayments>) {
  const state = { isOn: true };
  const wrapProvider = ({ payments: real }: { payments: CardPayments }): CardPayments => {
    const changedMethods = change(real);
    return new Proxy(real, {
      get: (target, name) =>
        Reflect.get(state.isOn && name in changedMethods ? { ...target, ...changedMethods } : target, name),
    });
  };
  return { provider: wrapProvider, state };
}
export const rejectAsUnavailable = () =>
  Promise.reject(new PaymentProviderError('unavailable', 'no route to the provider'));
