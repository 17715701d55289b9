import { howToRun } from '../../platform/process/how-to-run.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { UsageError } from '../exit-code.ts';
import { printJson } from '../json.ts';
import { findService, type AccessOptions } from '../service/access.ts';
import { readActive } from './account.ts';
import { nameOf, plannedWords, readPlanned, type Planned } from './planned.ts';
import { change } from './push.ts';

export type CancelOptions = AccessOptions & { readonly json?: boolean | undefined };

/**
 * Cancels a planned activation. Without an id, cancels the only one. Refuses an activation that has begun, and several without an
 * id. Without a planned one, does nothing.
 */
export async function cancel(given: string | undefined, options: CancelOptions): Promise<void> {
  const access = findService('routing', options);
  const planned = await readPlanned(access, await readActive(access));
  const found = given === undefined ? onlyOne(planned) : findPlanned(planned, given);
  if (found) await change(access, CANCEL, { id: found.id });
  if (options.json) printJson({ canceled: found });
  else
    console.log(
      found ? `Canceled: ${nameOf(found.version)} from ${found.activeFrom} on.` : 'No activation is planned.',
    );
}

const CANCEL = `mutation ($id: ID!) {
  done: cancelRoutingActivation(id: $id) { routingActivation { id } userErrors { path message } } }`;

function onlyOne(planned: readonly Planned[]): Planned | null {
  if (planned.length < 2) return planned[0] ?? null;
  const lines = planned.map(plannedWords);
  throw new UsageError(
    `${lines.join('\n')}\nName one by its id: ${howToRun('routing', 'cancel --activation <id>')}`,
  );
}

function findPlanned(planned: readonly Planned[], given: string): Planned {
  const found = planned.find(({ id }) => id === given.toLowerCase());
  if (found) return found;
  throw new OperatorError(`No planned activation has the id "${given}".`);
}
