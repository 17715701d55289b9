import { recoveryOf, type Connector } from '../../src/connectors/interface/connector.ts';
import type { Definition } from '../../src/connectors/interface/definition.ts';
import type { Verb } from '../../src/connectors/interface/requests.ts';
import { callOf, somePayment, withoutSecurityCode } from './contract-calls.ts';
import type { Desk } from './contract-desk.ts';
import { expect, it } from './runner.ts';

/** Tests the cancel of a payment that never arrived. Such a payment is not sent again where both verbs are looked up. */
export function describeLostCancel(desk: Desk, connector: Connector, definition: Definition): void {
  const isLookedUp = (verb: Verb): boolean => recoveryOf(connector, verb).kind === 'lookup';
  if (!definition.supportedFeatures.cancel || !isLookedUp('authorize') || !isLookedUp('cancel')) return;

  it('ends a payment that never arrived by the repeat of a cancel, and not before', async () => {
    const money = { amount: 1299, currency: 'EUR' };
    const requested = callOf('cancel', money, { paid: somePayment(), pays: {} });

    expect((await desk.call(requested)).kind).not.toBe('failed');
    expect(await desk.lookUp(requested)).toBeNull();
    const repeated = await desk.call(withoutSecurityCode(requested));

    expect(repeated).toMatchObject({ kind: 'succeeded', reference: expect.any(String), money });
    expect(desk.done(requested.key)).toBe(0);
  });

  it('never takes a search without an answer for one that finds no payment', async () => {
    const requested = callOf('cancel', { amount: 1299, currency: 'EUR' }, { paid: somePayment(), pays: {} });
    desk.failNextLookUp('lose_request');

    expect(await desk.call(withoutSecurityCode(requested))).toMatchObject({ kind: 'unknown' });
  });
}
