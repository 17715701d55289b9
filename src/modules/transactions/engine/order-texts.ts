import type { OrderLine } from '../../../connectors/interface/order.ts';

/** Returns a text without spaces around it. Null without a visible character, because providers refuse such a text. */
export function visibleText(text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  return VISIBLE.test(trimmed) ? trimmed : null;
}

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Returns the lines with visible texts alone. Empty if one of the lines has no visible name. */
export function visibleLines(lines: readonly OrderLine[]): readonly OrderLine[] {
  const visible = lines.map(visibleLine);
  return visible.includes(null) ? [] : visible.filter((line) => line !== null);
}

function visibleLine(line: OrderLine): OrderLine | null {
  const name = visibleText(line.name);
  if (name === null) return null;
  return {
    ...{ ...line, name, externalIdentifier: visibleText(line.externalIdentifier) },
    ...{ sku: visibleText(line.sku), upc: visibleText(line.upc) },
    ...{ unitOfMeasure: visibleText(line.unitOfMeasure), commodityCode: visibleText(line.commodityCode) },
    description: visibleText(line.description),
    categories: line.categories?.flatMap((category) => visibleText(category) ?? []) ?? null,
  };
}
