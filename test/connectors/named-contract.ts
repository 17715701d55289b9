import type { Verb } from '../../src/connectors/interface/requests.ts';
import type { Desk } from './contract-desk.ts';
import { expect, it } from './runner.ts';

/** Tests the webhooks of a provider that only name the payment. Needs `webhooks` of the provider. */
export function describeNamed(desk: Desk, verb: Verb): void {
  it('is followed by webhooks that name the payment, and tell nothing else', async () => {
    const requested = await desk.ask(verb, 'approve');
    const answer = await desk.call(requested);
    const payment =
      requested.verb === 'authorize' ? 'reference' in answer && answer.reference : requested.reference;

    const owed = desk.owed();

    expect(owed.length).toBeGreaterThan(0);
    expect(owed.flatMap(desk.lookUpsIn)).toContain(payment);
    expect(owed.flatMap(desk.read)).toEqual([]);
  });
}
