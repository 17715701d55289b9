import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RETURN, startSessionHarness, type SessionHarness } from './session-harness.ts';

/** The conditions for the rows of a session and of a redirect. */
const session = `kind = 'session'`;
const redirect = `kind = 'redirect'`;

let harness: SessionHarness;
beforeAll(async () => {
  harness = await startSessionHarness();
  await harness.wait();
  await harness.create({ paymentMethod: { redirect: { method: 'venmo' } }, redirectUrl: RETURN });
});
afterAll(() => harness.stop());

/** Returns the constraint that refuses the change, or null. Every change is rolled back. */
async function refusedBy(change: string, where: string): Promise<string | null> {
  const update = harness.server.app.db.query({
    name: null,
    text: `UPDATE approval SET ${change} WHERE ${where}`,
    values: [],
  });
  return update.then(
    () => null,
    (error: unknown) => /constraint "(\w+)"/.exec(String(error))?.[1] ?? String(error),
  );
}

describe('the database refuses', () => {
  it.each([
    ['a session without the token that opens it', 'session_digest = NULL', 'approval_session_check'],
    ['a session without the token that completes it', 'completion_digest = NULL', 'approval_session_check'],
    ['one token for both', 'completion_digest = session_digest', 'approval_session_check'],
    [
      'a completed session without an approval',
      `state = 'approved', decided_at = now()`,
      'approval_completed_check',
    ],
    ['another kind', `kind = 'guess'`, 'approval_kind_check'],
  ])('%s', async (_, change, constraint) => {
    expect(await refusedBy(change, session)).toBe(constraint);
  });

  it.each([
    ['a token', `session_digest = 'x'`],
    ['data', `session_data = '{}'`],
    ['an approval in a client', 'approved_at = now()'],
  ])('%s of a session that does not exist', async (_, change) => {
    expect(await refusedBy(change, redirect)).toBe('approval_session_check');
  });

  it.each([
    ['a return from a page of ours', `state = 'returned', decided_at = now()`, redirect],
    [
      'a decision at our page about a page of the provider',
      `return_digest = 'x', state = 'approved', decided_at = now()`,
      redirect,
    ],
    ['a return to a session', `return_digest = 'x'`, session],
  ])('%s', async (_, change, where) => {
    expect(await refusedBy(change, where)).toBe('approval_return_check');
  });

  it('no value that a session may have', async () => {
    expect(await refusedBy(`approved_at = now(), session_data = '{}'`, session)).toBeNull();
    expect(await refusedBy(`state = 'approved', decided_at = now()`, session)).toBeNull();
  });
});
