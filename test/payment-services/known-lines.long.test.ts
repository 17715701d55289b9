import { expect, test } from '@jest/globals';
import { DEFAULT_MERCHANT_ACCOUNT } from '../../src/modules/accounts/index.ts';
import { findPaymentServices, updatePaymentService } from '../../src/modules/payment-services/index.ts';
import { query } from '../support/database.ts';
import { useServices } from '../support/services.ts';
import { createSteppedClock } from '../support/stepped-clock.ts';
import { until } from '../support/until.ts';
import { viewerOf } from './viewer.ts';

const { database, start } = useServices();

// The clock stands still, so that no line is read again because of its age.
const clock = createSteppedClock();

test('a change in one process ends the lines in the memory of another, by a notification', async () => {
  const [here, there] = [await start({}, { clock }), await start({}, { clock })];
  const [service] = await query<{ id: string }>(database().url, 'SELECT id FROM payment_service LIMIT 1');
  const id = service?.id ?? '';
  const viewer = viewerOf(DEFAULT_MERCHANT_ACCOUNT);
  const nameThere = async () =>
    (await findPaymentServices(there.app, viewer, [id], 'line'))[0]?.displayName ?? null;

  // A listener also reports once after it has connected. The later changes show that it reports changes.
  for (const displayName of ['First', 'Second', 'Third']) {
    expect(await nameThere()).not.toBe(displayName);
    expect(await updatePaymentService(here.app, viewer, id, { displayName })).toMatchObject({ ok: true });
    await until(async () => (await nameThere()) === displayName);
  }

  await query(database().url, `UPDATE payment_service SET display_name = 'By hand' WHERE id = $1`, [id]);
  expect(await nameThere()).toBe('Third');
});
