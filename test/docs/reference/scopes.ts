import { scopedFields } from './schema.ts';
import { code, table, WRITTEN } from './table.ts';

/** Writes the page of scopes: for each scope the fields that ask for it. */
export function scopesPage(): string {
  const fields = scopedFields().filter(({ field }) => !field.includes('Payload.'));
  const scopes = [...new Set(fields.flatMap((field) => field.scopes))].sort();
  const rows = scopes.map((scope) => [
    code(scope),
    fields
      .filter((field) => field.scopes.includes(scope))
      .map(({ field }) => code(field.replace(/^(Query|Mutation|Subscription)\./, '')))
      .join(', '),
  ]);
  return `${WRITTEN}

# Scopes

A token carries scopes: see [tokens](../guides/tokens.md). \`*.read\` covers every read scope, and \`*.write\` covers every
write scope. A write scope does not include the read scope.

Some fields have a type in front, such as \`Transaction.paymentMethod\`. They ask for their scope and for the scope of the
root field.

## Mutations

A mutation checks the scopes of its whole document before anything is done. A selected field that the token may not read
refuses every mutation of the document with \`FORBIDDEN\`. So a payment is never made whose result stays hidden.

A record in the answer needs the read scope of the record. Each answer also has ids, and often a status, that need no read
scope. A backend with \`transactions.write\` alone reads them:

\`\`\`graphql
mutation ($id: ID!) {
  captureTransaction(id: $id) {
    captureId
    captureStatus
    transactionStatus
    userErrors {
      message
    }
  }
}
\`\`\`

A query answers null for a field without its scope, with a \`FORBIDDEN\` error at the path of the field.

## Buyers

Names, addresses, contact data and tax ids of buyers need \`buyers.read\`, wherever they hang. \`Transaction.buyer\` needs
\`transactions.read\` and \`buyers.read\`. So does \`Transaction.customerReferenceNumber\`, because the text names a customer. The
filters \`buyerEmailAddress\` and \`search\` of payments and payment links need \`buyers.read\` too.

Ids of buyers need no further scope: \`buyerId\`, and the merchant's own id as a filter. With \`events.read\` a token reads whole
event payloads. They hold the buyer's ids, and neither names nor addresses.

\`audit.read\` shows the changed values of every record, except secrets and the data of buyers.

## Card fingerprints

\`TransactionCard.fingerprint\` and \`PaymentMethod.fingerprint\` need \`card-fingerprints.read\`. The filters \`cardFingerprint\` of
\`transactions\` and \`fingerprint\` of \`paymentMethods\` need the scope as well: see [guessed card
numbers](../guides/cards.md#guessed-card-numbers).

## Fields

${table(['scope', 'fields'], rows)}
`;
}
