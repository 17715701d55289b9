import type { App } from '../../../app.ts';
import { openForm, type RedirectForm, type ShownCode } from '../awaiting/redirect-form.ts';
import { findApproval, type Approval } from './store/approval.sql.ts';

/** A payment whose buyer goes on by a page of ours. `step` is null after the wait. */
export type Redirected = { readonly approval: Approval; readonly step: RedirectForm | ShownCode | null };

/** Finds the form or the code by which the buyer goes on elsewhere. Null when the token belongs to no such payment. */
export async function redirectStepOf(app: App, token: string): Promise<Redirected | null> {
  const approval = await findApproval(app.db, 'page', token, app.clock.now());
  if (!approval?.isAtProvider) return null;
  const { merchantAccountId, operationId: id, sealedForm, state } = approval;
  const isOpen = state === 'pending' && sealedForm !== null;
  return { approval, step: isOpen ? await openForm(app, { merchantAccountId, id }, sealedForm) : null };
}
