import { dispute } from './disputes.ts';
import type { DefenseDocument, Dispute, Payment } from './model.ts';
import { NOT_FOUND, type Answer } from './refusals.ts';
import type { State } from './state.ts';

/** The path of the Disputes API, version 30. */
export const DISPUTE_SERVICE = '/ca/services/DisputeService/v30';

/** The fields that the double reads. The description has checked their types. */
export type DisputeBody = {
  readonly merchantAccountCode: string;
  readonly disputePspReference: string;
  readonly defenseReasonCode?: string;
  readonly defenseDocumentType?: string;
  readonly defenseDocuments?: readonly DefenseDocument[];
};

/** Answers a response to a dispute. A refused response has the status 200, and changes nothing. */
export function respond(state: State, path: string, body: DisputeBody): Answer {
  const found = find(state, body.disputePspReference);
  if (!found) return refused('Dispute not found');
  const { disputed } = found;
  switch (path.slice(DISPUTE_SERVICE.length)) {
    case '/retrieveApplicableDefenseReasons':
      return succeeded({ defenseReasons: REASONS.map((reason) => reasonOf(reason, disputed)) });
    case '/supplyDefenseDocument':
      return change(state, disputed, () => supply(disputed, body.defenseDocuments ?? []));
    case '/deleteDisputeDefenseDocument':
      return change(state, disputed, () => remove(disputed, body.defenseDocumentType ?? ''));
    case '/acceptDispute':
      return change(state, disputed, () => {
        disputed.response = 'accepted';
        return null;
      });
    case '/defendDispute':
      return change(state, disputed, () => defend(state, found, body.defenseReasonCode ?? ''));
    default:
      return NOT_FOUND;
  }
}

type Found = { readonly payment: Payment; readonly disputed: Dispute };

function find({ payments }: State, reference: string): Found | undefined {
  for (const payment of payments)
    for (const disputed of payment.disputes)
      if (disputed.pspReference === reference) return { payment, disputed };
  return undefined;
}

const succeeded = (more: object = {}): Answer => ({
  status: 200,
  body: { ...more, disputeServiceResult: { success: true } },
});

const refused = (errorMessage: string): Answer => ({
  status: 200,
  body: { disputeServiceResult: { success: false, errorMessage } },
});

/** Makes a change within the time of the defence, before the merchant's response. `work` returns why it refuses. */
function change(state: State, disputed: Dispute, work: () => string | null): Answer {
  const { respondBy, response } = disputed;
  if (response !== null) return refused(`Dispute is already ${response}`);
  if (respondBy && respondBy <= state.settings.now()) return refused('Defense period has ended');
  const reason = work();
  return reason === null ? succeeded() : refused(reason);
}

/** The reasons of a defence, with the documents that each needs. */
const REASONS = [
  { code: 'SupplyDefenseMaterial', documents: [['DefenseMaterial', 'Required']] },
  {
    code: 'GoodsOrServicesProvided',
    documents: [
      ['GoodsOrServicesProvided', 'Required'],
      ['TIDorInvoice', 'Optional'],
    ],
  },
] as const;

type Reason = (typeof REASONS)[number];

const has = ({ documents }: Dispute, type: string): boolean =>
  documents.some(({ defenseDocumentTypeCode }) => defenseDocumentTypeCode === type);

const isSatisfied = ({ documents }: Reason, disputed: Dispute): boolean =>
  documents.every(([type, level]) => level === 'Optional' || has(disputed, type));

const reasonOf = (reason: Reason, disputed: Dispute): object => ({
  defenseReasonCode: reason.code,
  satisfied: isSatisfied(reason, disputed),
  defenseDocumentTypes: reason.documents.map(([defenseDocumentTypeCode, requirementLevel]) => ({
    ...{ defenseDocumentTypeCode, requirementLevel },
    available: has(disputed, defenseDocumentTypeCode),
  })),
});

const CONTENT_TYPES = new Set(['application/pdf', 'image/jpeg', 'image/jpg', 'image/tiff']);
const TYPES: ReadonlySet<string> = new Set(
  REASONS.flatMap(({ documents }) => documents.map(([type]) => type)),
);

/** Takes documents over. A document replaces the earlier one of its type. */
function supply(disputed: Dispute, documents: readonly DefenseDocument[]): string | null {
  if (documents.length === 0) return 'No defense documents';
  for (const { contentType, defenseDocumentTypeCode, content } of documents) {
    if (!CONTENT_TYPES.has(contentType)) return `Unsupported content type ${contentType}`;
    if (!TYPES.has(defenseDocumentTypeCode)) return `Unknown document type ${defenseDocumentTypeCode}`;
    if (content === '') return 'Empty document';
  }
  const replaced = new Set(documents.map(({ defenseDocumentTypeCode }) => defenseDocumentTypeCode));
  const kept = disputed.documents.filter((each) => !replaced.has(each.defenseDocumentTypeCode));
  disputed.documents = [...kept, ...documents];
  return null;
}

function remove(disputed: Dispute, type: string): string | null {
  if (!has(disputed, type)) return 'Document not found';
  disputed.documents = disputed.documents.filter((each) => each.defenseDocumentTypeCode !== type);
  return null;
}

/** Sends the defence to the scheme, once. */
function defend(state: State, { payment, disputed }: Found, code: string): string | null {
  const reason = REASONS.find((each) => each.code === code);
  if (!reason) return `Unknown defense reason ${code}`;
  if (!isSatisfied(reason, disputed)) return 'Required defense documents are missing';
  disputed.response = 'defended';
  const { pspReference } = disputed;
  dispute(state, payment, { stage: 'INFORMATION_SUPPLIED', pspReference });
  return null;
}
