import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});

afterAll(() => harness.stop());

const FIRST = 'canary-first-5d1c0f';
const SECOND = 'canary-second-93ab7e';

const fields = (secret: string) => [
  { key: 'merchant_id', value: 'm-1' },
  { key: 'api_key', value: secret },
];

/** Lists the forms in which a text could have been stored. */
const forms = (secret: string): string[] => [
  secret,
  ...(['hex', 'base64', 'base64url'] as const).map((form) => Buffer.from(secret).toString(form).slice(0, -3)),
];

test('a secret is in no answer, nowhere in the database and in no log', async () => {
  const answers: unknown[] = [];
  const created = await harness.create({ fields: fields(FIRST) }, 'with a secret');
  const id = created.paymentService?.id ?? '';
  answers.push(created, await harness.create({ fields: fields(FIRST) }, 'with a secret'));
  answers.push(await harness.create({ fields: fields(SECOND) }, 'with a secret'));
  answers.push(await harness.update(id, { fields: [{ key: 'api_key', value: SECOND }] }));
  answers.push(
    await harness.update(id, { displayName: '', fields: [{ key: 'api_key', value: `${FIRST}\u0000` }] }),
  );
  answers.push(await harness.create({ displayName: '', fields: [...fields(FIRST), ...fields(SECOND)] }));
  answers.push(
    await harness.get(id),
    await harness.list(),
    await harness.delete(id),
    await harness.list({ deleted: true }),
  );

  const seen = `${JSON.stringify(answers)}\n${await harness.dump()}\n${harness.server.logs()}`;

  expect(created.userErrors).toEqual([]);
  expect(seen).toContain('m-1');
  expect(seen).toContain(id);
  for (const form of [...forms(FIRST), ...forms(SECOND)]) expect(seen).not.toContain(form);
});

test('the record of an idempotency key holds no digest that reveals a secret to guesses', async () => {
  const rival = await harness.rival();
  await harness.create({ fields: fields(FIRST) }, 'digest');
  await rival.create({ fields: fields(FIRST) }, 'digest');

  const keys = await harness.server.app.db.prisma.idempotencyKey.findMany({ where: { key: 'digest' } });

  const digests = keys.map(
    (key) => (JSON.parse(key.digests) as Record<string, string>)['input.fields.1.value'],
  );
  expect(digests).toHaveLength(2);
  expect(digests[0]).toMatch(/^[0-9a-f]{24}$/);
  expect(digests[0]).not.toBe(digests[1]);
});

test('the same secret is sealed differently for each service', async () => {
  const made = [await harness.made({ fields: fields(FIRST) }), await harness.made({ fields: fields(FIRST) })];

  const rows = await harness.server.app.db.prisma.paymentService.findMany({
    where: { id: { in: made.map(({ id }) => id) } },
  });

  const sealed = rows.map(({ sealedFields }) => sealedFields);
  expect(sealed[0]).toMatch(/^v1\./);
  expect(new Set(sealed).size).toBe(2);
});
