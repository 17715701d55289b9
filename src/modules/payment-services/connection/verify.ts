import type { App, Viewer } from '../../../app.ts';
import { verifyCredentials } from '../../../connectors/calls/call-verification.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { openCall } from './call-context.ts';
import { findProvider } from '../model/definitions.ts';
import {
  momentAfter,
  toPaymentService,
  type CheckedStatus,
  type PaymentService,
  type StoredPaymentService,
} from '../model/payment-service.ts';
import { findStored, replaceIfUnchanged, type ConnectionRow } from '../store.ts';

/**
 * Asks the provider of a payment service whether it accepts the credentials, and stores the answer as the status. Moves
 * no money. Refuses a deleted service, and a service whose definition has no such check.
 * Commits once, after the call. A change of the service during the call makes the answer worthless, so the provider is
 * asked again.
 */
export async function verifyPaymentService(
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
): Promise<Result<PaymentService, InvalidInput | NotFound>> {
  // Each further round follows a change that somebody else stored, so the rounds end.
  for (;;) {
    const stored = await findStored(app.db, merchantAccountId, id);
    if (!stored || stored.deletedAt) return refuse(notFound('payment service'));
    const features = findProvider(app, stored.definitionId)?.definition.supportedFeatures;
    if (!features?.verify_credentials) return refuse(invalidInput(['id'], NO_CHECK));
    const checked: StoredPaymentService = {
      ...stored,
      ...(await checkCredentials(app, stored)),
      updatedAt: momentAfter(stored.updatedAt, app.clock.now()),
    };
    if (await replaceIfUnchanged(app, stored, checked)) return ok(toPaymentService(app, checked));
  }
}

/** The refusal of a check that the definition does not have. */
export const NO_CHECK =
  'The definition has no check of credentials (feature verify_credentials). The first payment shows whether they are right.';

/** The status of credentials that nobody has checked. */
export const UNCHECKED = {
  status: 'created',
  statusReason: null,
  statusCheckedAt: null,
} as const satisfies CheckedStatus;

/** Asks the provider about the credentials of a service, and returns the status to store. Call outside a transaction. */
export async function checkCredentials(
  app: App,
  row: ConnectionRow & Pick<StoredPaymentService, 'merchantAccountId'>,
): Promise<CheckedStatus> {
  if (!findProvider(app, row.definitionId)) return UNCHECKED;
  const { connector, context } = await openCall(app, row.merchantAccountId, row);
  const verification = await verifyCredentials(connector, context, app.log);
  const at = { statusCheckedAt: app.clock.now() };
  switch (verification?.kind) {
    case undefined:
      return UNCHECKED;
    case 'accepted':
      return { ...at, status: 'active', statusReason: null };
    case 'refused':
      return { ...at, status: 'failed', statusReason: verification.reason };
    case 'unknown':
      return {
        ...at,
        status: 'pending',
        statusReason: `The provider did not answer: ${verification.cause}.`,
      };
  }
}
