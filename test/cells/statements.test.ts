import { expect, it } from '@jest/globals';
import { preparedTexts } from '../../src/platform/database/statement.ts';
import { CLAIMS, SWEEPS } from '../statements/across-accounts.ts';
import { readPrepared } from '../statements/prepared.ts';

/** Background work of all accounts that needs no look at the moves, with the reason. */
const WITHOUT_MOVES: Readonly<Record<string, string>> = {
  ask_unanswered_again:
    'An operator asks for it after a restore, and a move and a restore exclude each other.',
  make_undecided_due: 'An operator asks for it after a restore, too.',
};

// One refused row would end the whole statement, and with it the work of every account.
it('background work of all accounts leaves accounts out that move', async () => {
  await readPrepared();
  const works = [...Object.keys(CLAIMS), ...Object.keys(SWEEPS)];

  const looks = preparedTexts().filter(({ text }) => text.includes('account_away'));

  expect([...looks.map(({ name }) => name), ...Object.keys(WITHOUT_MOVES)].toSorted()).toEqual(
    // Two counts of a metric leave out what does not work here. A start records the packages of all accounts.
    [...works, 'count_fraud_reports', 'outlet_waiting', 'record_connector_packages'].toSorted(),
  );
});
