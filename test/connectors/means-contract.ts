import type { ConnectorCall } from '../../src/connectors/calls/call.ts';
import type { Definition } from '../../src/connectors/interface/definition.ts';
import { withoutSecurityCode } from './contract-calls.ts';
import type { Desk } from './contract-desk.ts';
import { MEANS_FEATURES } from './contract-provider.ts';
import { describe, expect, it } from './runner.ts';

/** Defines the tests of the means beside a card in clear. */
export function describeMeans(desk: Desk, { supportedFeatures }: Definition): void {
  const features = MEANS_FEATURES.filter((feature) => supportedFeatures[feature]);
  if (features.length === 0) return;
  describe.each(features)('%s', (feature) => {
    const ask = async (): Promise<ConnectorCall | null> => {
      const means = desk.meansFor(feature);
      const requested = await desk.ask('authorize', 'approve');
      const nothing = { card: null, token: null, wallet: null, networkToken: null, bank: null };
      return means && requested.verb === 'authorize' ? { ...requested, ...nothing, ...means } : null;
    };

    it('pays, and neither the answer nor a log reveals the means', async () => {
      const requested = await ask();
      if (requested?.verb !== 'authorize') return;

      const answer = await desk.call(requested);

      expect(answer).toMatchObject({ kind: 'succeeded', money: requested.money });
      const { token, wallet, networkToken } = requested;
      for (const secret of [token, wallet?.token, networkToken?.number, networkToken?.cryptogram]) {
        if (secret == null) continue;
        expect(JSON.stringify(answer)).not.toContain(secret);
        expect(desk.logs()).not.toContain(secret);
      }
    });

    it('finds a lost answer by a repeat, without the cryptogram, and the work is done once', async () => {
      const requested = await ask();
      if (requested?.verb !== 'authorize') return;
      desk.failNext('lose_answer');
      expect(await desk.call(requested)).toMatchObject({ kind: 'unknown' });

      expect(await desk.learn(withoutSecurityCode(requested))).toMatchObject({ kind: 'succeeded' });
      expect(desk.done(requested.key)).toBe(1);
    });
  });
}
