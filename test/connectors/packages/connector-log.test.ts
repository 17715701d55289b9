import { expect, it } from '@jest/globals';
import { callConnector } from '../../../src/connectors/calls/call.ts';
import { askBalance } from '../../../src/connectors/calls/call-gift-card.ts';
import type { ConnectorLog } from '../../../src/connectors/door.ts';
import { callOf, somePayment } from '../contract-calls.ts';
import { contextOf, enclosed } from './acme.ts';

const MONEY = { amount: 1299, currency: 'EUR' };

/** Returns the lines that a connector writes during a refund. */
async function linesOf(write: (log: ConnectorLog) => void): Promise<readonly unknown[]> {
  const { connector, log, lines } = enclosed({
    refund: (context) => {
      if (context.log) write(context.log);
      return Promise.reject(new Error('unused'));
    },
  });
  const call = callOf('refund', MONEY, { paid: somePayment(), pays: {} });
  await callConnector(connector, contextOf({ send: () => Promise.reject(new Error('unused')) }), log, call);
  return lines.map((line) => JSON.parse(line) as unknown).slice(0, -2);
}

it('shows fields with known names that are plain words, and hides every other field', async () => {
  const [line] = await linesOf((log) =>
    log.warn('The provider declined.', {
      ...{ code: 'no_money', http_status: 402, attempt: 2, durationMs: 81, final: true, company: null },
      ...{ securityCode: '123', pin: '1234', account: 'DE75', bearer: 'sk_1', lastName: 'Lovelace' },
      ...{ '4111111111111111': 'x', reference: '4111111111111111', status: 'Ada Lovelace' },
    }),
  );

  expect(line).toMatchObject({ connector: 'acme', msg: 'The provider declined.' });
  expect((line as { readonly fields: object }).fields).toEqual({
    ...{ code: 'no_money', http_status: 402, attempt: 2, durationMs: 81, final: true, company: null },
    ...{ securityCode: '…', pin: '…', account: '…', bearer: '…', lastName: '…' },
    ...{ '…': '…', reference: '…', status: '…' },
  });
});

it('hides secrets, card numbers and long words in the message', async () => {
  const lines = await linesOf((log) => {
    log.info('The key is secret of acme, the card 4111 1111 1111 1111.');
    log.info('Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.');
  });

  expect(lines).toMatchObject([{ msg: 'The key is …, the card ….' }, { msg: 'Bearer …' }]);
});

it('hides the card of the call, whatever its verb', async () => {
  const unused = () => Promise.reject(new Error('unused'));
  const { connector, log, lines } = enclosed({
    giftCards: {
      ...{ redeem: unused, unredeem: unused, refund: unused },
      balance: (context, { number, pin }) => {
        context.log?.info(`The card ${number} with ${pin} is refused.`);
        return unused();
      },
    },
  });
  await askBalance(connector, contextOf({ send: unused }), log, { number: '6006491260550', pin: '4711' });

  expect(lines[0]).toContain('The card … with … is refused.');
});

it('never throws', async () => {
  const throwing = {
    get code(): string {
      throw new Error('in vain');
    },
  };
  const lines = await linesOf((log) => {
    log.warn('Without fields.', null as never);
    log.warn(7 as never);
    log.warn('With a getter.', throwing);
  });

  expect(lines).toMatchObject([
    { fields: {}, msg: 'Without fields.' },
    { msg: '7' },
    { msg: 'The connector logged a line that cannot be read.' },
  ]);
});
