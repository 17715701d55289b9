import type { App, Viewer } from '../../app.ts';
import {
  invalidInput,
  notFound,
  type IdempotencyRefusal,
  type InvalidInput,
  type NotFound,
} from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import type { Tx } from '../../platform/database/db.ts';
import { refuseKey, createOrRefuse } from '../idempotency/index.ts';
import { canonicalMetadata } from '../../platform/input/metadata.ts';
import { parseInput } from '../../platform/input/validate.ts';
import { findBuyerIdBy, lockBuyer, readShippingDetails, type Buyer } from '../payment-methods/index.ts';
import { prepareVersion } from '../routing/index.ts';
import { canonicalOptions, refuseSplitsOff } from '../transactions/index.ts';
import { recordLinkEvent } from './event.ts';
import { createPaymentLinkInput, type CreatePaymentLinkInput } from './input.ts';
import {
  fromJson,
  toJson,
  type LinkShippingDetails,
  type PaymentLink,
  type PaymentLinkJson,
  type PaymentLinkTerms,
} from './payment-link.ts';
import { databaseNow, insertLink } from './store/links.ts';
import { makeToken } from './token.ts';

/** The created link. `replayed`: the answer comes from the record of the idempotency key. */
export type CreatedPaymentLink = { readonly paymentLink: PaymentLink; readonly replayed: boolean };

/** The default lifetime of a link. */
const LIFETIME_MS = 24 * 3_600_000;

/**
 * Creates an active payment link. Refuses an expiry that is past by the database's clock. Refuses an unknown stored buyer,
 * unknown shipping details, and an unknown version of routing rules. Commits once: the link, its event and the record of the idempotency
 * key. The link holds copies of the buyer and the shipping details.
 */
export async function createPaymentLink(
  app: App,
  { merchantAccountId }: Viewer,
  given: unknown,
  idempotencyKey: string | null | undefined,
): Promise<Result<CreatedPaymentLink, Refusal | IdempotencyRefusal>> {
  const badKey = refuseKey(idempotencyKey);
  if (badKey) return refuse(badKey);
  const parsed = parseInput(createPaymentLinkInput(app), given);
  if (!parsed.ok) return parsed;
  const input = parsed.value;
  const { connectionOptions: options, offersReceipt, splits, routingVersionId, ...fields } = input;
  const once = {
    merchantAccountId,
    operation: 'createPaymentLink',
    key: idempotencyKey,
    input: {
      input: {
        ...fields,
        // A key of an earlier version, which knew less, still fits its input.
        ...(offersReceipt && { offersReceipt }),
        ...(splits && { splits }),
        ...(routingVersionId !== null && { routingVersionId }),
        metadata: fields.metadata && canonicalMetadata(fields.metadata),
        connectionOptions: options && canonicalOptions(options),
      },
    },
    now: app.clock.now(),
  };
  const id = app.ids.uuid();
  const secrets = await makeToken(app, merchantAccountId, id);
  const buyerId = await buyerIdOf(app, merchantAccountId, input);
  const created = await createOrRefuse(app.db, once, async (tx): Promise<Made> => {
    const off = splits && refuseSplitsOff(app);
    if (off) return refuse(off);
    if (!(await preparedFor(app, tx, { merchantAccountId, routingVersionId })))
      return refuse(UNKNOWN_VERSION);
    const owned = await ownersOf(tx, merchantAccountId, input, buyerId);
    if (!owned.ok) return owned;
    const now = await databaseNow(tx);
    if (input.expiresAt !== null && input.expiresAt <= now) return refuse(PAST);
    const expiresAt = input.expiresAt ?? new Date(now.getTime() + LIFETIME_MS);
    const moments = { expiresAt, createdAt: now, updatedAt: now };
    const link: PaymentLink = {
      ...{ merchantAccountId, id, status: 'active', receiptRequestedAt: null },
      ...termsOf(input, owned.value),
      ...moments,
    };
    await insertLink(tx, link, secrets);
    await recordLinkEvent(app, tx, 'created', link);
    return ok(toJson(link));
  });
  if (!created.ok) return created;
  const { value, replayed } = created.value;
  return ok({ paymentLink: fromJson(value), replayed });
}

type Refusal = InvalidInput | NotFound;
type Made = Result<PaymentLinkJson, Refusal>;

const UNKNOWN_VERSION = notFound('version of a routing rule set', ['input', 'routingVersionId']);
const PAST = invalidInput(['input', 'expiresAt'], 'Must be in the future.');

/** Prepares the version that a link names. Returns false for an unknown one. */
const preparedFor = async (
  { clock }: App,
  tx: Tx,
  {
    merchantAccountId,
    routingVersionId: versionId,
  }: Pick<PaymentLink, 'merchantAccountId' | 'routingVersionId'>,
): Promise<boolean> =>
  versionId === null || (await prepareVersion(tx, { merchantAccountId, versionId, now: clock.now() }));

/**
 * Finds the id of the requested stored buyer. Null when the external identifier is unknown, undefined when no buyer is
 * requested.
 */
async function buyerIdOf(
  app: App,
  merchantAccountId: string,
  { buyerId, buyerExternalIdentifier }: CreatePaymentLinkInput,
): Promise<string | null | undefined> {
  if (buyerExternalIdentifier === null) return buyerId ?? undefined;
  return findBuyerIdBy(app.db, merchantAccountId, buyerExternalIdentifier);
}

type Owners = Pick<PaymentLinkTerms, 'buyerId' | 'buyer' | 'shippingDetails'>;

/** Returns the link's copies of the buyer and the shipping details. */
async function ownersOf(
  tx: Tx,
  merchantAccountId: string,
  input: CreatePaymentLinkInput,
  buyerId: string | null | undefined,
): Promise<Result<Owners, NotFound>> {
  const guest = input.shippingDetails && { ...input.shippingDetails, id: null, buyerId: null };
  if (buyerId === undefined) return ok({ buyerId: null, buyer: input.buyer, shippingDetails: guest });
  const stored = buyerId === null ? null : await lockBuyer(tx, merchantAccountId, buyerId);
  const path = input.buyerId === null ? 'buyerExternalIdentifier' : 'buyerId';
  if (!stored) return refuse(notFound('buyer', ['input', path]));
  const owner = { buyerId: stored.id, buyer: detailsOf(stored) };
  if (input.shippingDetailsId === null) return ok({ ...owner, shippingDetails: guest });
  const found = await readShippingDetails(tx, merchantAccountId, input.shippingDetailsId);
  if (found?.buyerId !== stored.id)
    return refuse(notFound('shipping details', ['input', 'shippingDetailsId']));
  const { merchantAccountId: _account, createdAt: _created, updatedAt: _updated, ...shipping } = found;
  return ok({ ...owner, shippingDetails: shipping satisfies LinkShippingDetails });
}

const detailsOf = ({ displayName, externalIdentifier, accountNumber, billingDetails }: Buyer) => ({
  ...{ displayName, externalIdentifier, accountNumber, billingDetails },
});

function termsOf(input: CreatePaymentLinkInput, owners: Owners): PaymentLinkTerms {
  const {
    buyerExternalIdentifier: _external,
    shippingDetailsId: _shipping,
    expiresAt: _expires,
    ...terms
  } = input;
  return { ...terms, ...owners };
}
