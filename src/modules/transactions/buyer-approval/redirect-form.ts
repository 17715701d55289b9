import type { App } from '../../../app.ts';
import { openForm, type RedirectForm } from '../awaiting/redirect-form.ts';
import { findApproval, type Approval } from './store/approval.sql.ts';

/** A payment that waits for its buyer at the provider's page. `form` is null after the end of the wait. */
export type Redirected = { readonly approval: Approval; readonly form: RedirectForm | null };

/** Finds the form that leads the buyer to the provider's page. Null when the token belongs to no such form. */
export async function redirectFormOf(app: App, token: string): Promise<Redirected | null> {
  const approval = await findApproval(app.db, 'page', token, app.clock.now());
  if (!approval?.isAtProvider) return null;
  const { merchantAccountId, operationId: id, sealedForm, state } = approval;
  const isOpen = state === 'pending' && sealedForm !== null;
  return { approval, form: isOpen ? await openForm(app, { merchantAccountId, id }, sealedForm) : null };
}
