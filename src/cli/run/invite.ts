import { z } from 'zod';
import type { App } from '../../app.ts';
import type { InvalidInput, NotFound } from '../../kernel/refusal.ts';
import type { Result } from '../../kernel/result.ts';
import { ALL_SCOPES, findMerchantAccounts, type DuplicateRecord } from '../../modules/accounts/index.ts';
import {
  findLocalPerson,
  invitePerson,
  renewInvitation,
  updatePerson,
  type Invited,
} from '../../modules/people/index.ts';
import { createApp } from '../../main.ts';
import { actingAs } from '../../platform/database/acting.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { requireMigrations, withDatabase } from '../database.ts';
import { readConfig } from '../environment.ts';
import { withoutPooler } from '../../platform/process/config.ts';
import { UsageError } from '../exit-code.ts';
import { printJson } from '../json.ts';

/** The options as written on the command line. */
export type InviteOptions = {
  readonly email: string;
  readonly role: string;
  readonly merchantAccount: string;
  readonly json?: boolean | undefined;
};

/**
 * Prints the address of an invitation on standard output, and nothing else. Needs no running service. A person who is known already
 * is invited anew, and loses password, codes, passkeys and sessions.
 */
export async function inviteCommand(options: InviteOptions): Promise<void> {
  const { merchantAccount } = options;
  const config = readConfig();
  await withDatabase(config, async (url) => {
    const wired = await createApp(withoutPooler(config, url));
    try {
      await requireMigrations(wired.app.db);
      const app = actingAs(wired.app, { kind: 'command', id: 'invite', merchantAccountId: merchantAccount });
      const { person, invitationUrl } = await invite(app, options);
      if (options.json)
        printJson({ invitationUrl, person: { id: person.id, email: person.email, role: person.role } });
      else console.log(invitationUrl);
    } finally {
      await wired.close();
    }
  });
}

async function invite(
  app: App,
  { email, role: given, merchantAccount: merchantAccountId }: InviteOptions,
): Promise<Invited> {
  const role = ROLE.safeParse(given);
  if (!role.success) throw new UsageError('--role: must be owner, developer, support or analyst.');
  const viewer = { merchantAccountId, scopes: ALL_SCOPES };
  const [account] = await findMerchantAccounts(app, { reachableMerchantAccountIds: [] }, [merchantAccountId]);
  if (!account)
    throw new OperatorError(`--merchant-account: no merchant account has the id ${merchantAccountId}.`);
  const known = await findLocalPerson(app, merchantAccountId, email);
  if (known) valueOf(await updatePerson(app, viewer, known.id, { role: role.data }));
  const invited = known
    ? await renewInvitation(app, viewer, known.id)
    : await invitePerson(app, viewer, { email, role: role.data });
  return valueOf(invited);
}

const ROLE = z.enum(['owner', 'developer', 'support', 'analyst']);

/** Throws the refusals as one error of the operator. */
function valueOf<Value>(result: Result<Value, InvalidInput | NotFound | DuplicateRecord>): Value {
  if (result.ok) return result.value;
  const sentences = result.refusals.map((refusal) =>
    'message' in refusal ? `--${refusal.path.at(-1)}: ${refusal.message}` : 'The person is unknown.',
  );
  throw new OperatorError(sentences.join('\n'));
}
