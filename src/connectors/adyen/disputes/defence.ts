/** A reason by which Adyen lets the merchant defend a dispute, with the documents that it takes. */
export type DefenceReason = {
  readonly defenseReasonCode: string;
  readonly defenseDocumentTypes: readonly {
    readonly defenseDocumentTypeCode: string;
    readonly requirementLevel: string;
  }[];
};

/** The chosen reason, with a type for each document. */
export type Defence = { readonly reasonCode: string; readonly typeCodes: readonly string[] };

/** The reason that fits any evidence. Adyen offers it for most disputes. */
const ANY_EVIDENCE = 'SupplyDefenseMaterial';

/** The levels of requirement, from the most pressing. */
const LEVELS = ['Required', 'OneOrMore', 'AlternativeRequired', 'Optional'] as const;

/**
 * Chooses a reason that takes the given number of documents, and gives each document a type. The required types come first. Pure.
 * Null if no reason takes the documents.
 */
export function defenceOf(reasons: readonly DefenceReason[], documentCount: number): Defence | null {
  const able = reasons.filter(({ defenseDocumentTypes: types }) => {
    const required = types.filter(({ requirementLevel }) => requirementLevel === 'Required').length;
    return documentCount >= Math.max(required, 1) && documentCount <= types.length;
  });
  const chosen = able.find(({ defenseReasonCode }) => defenseReasonCode === ANY_EVIDENCE) ?? able[0];
  if (!chosen) return null;
  const types = chosen.defenseDocumentTypes.toSorted((one, other) => rankOf(one) - rankOf(other));
  return {
    reasonCode: chosen.defenseReasonCode,
    typeCodes: types.slice(0, documentCount).map(({ defenseDocumentTypeCode: code }) => code),
  };
}

function rankOf({ requirementLevel }: { readonly requirementLevel: string }): number {
  const rank = LEVELS.findIndex((level) => level === requirementLevel);
  return rank === -1 ? LEVELS.length : rank;
}
