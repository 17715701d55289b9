import { scopedFields } from './schema.ts';
import { code, table, WRITTEN } from './table.ts';

/** Writes the page of scopes: for each scope the fields that ask for it. */
export function scopesPage(): string {
  const fields = scopedFields();
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

${table(['scope', 'fields'], rows)}
`;
}
