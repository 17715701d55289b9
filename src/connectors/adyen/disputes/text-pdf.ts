/** A part of a text document. */
export type Section = { readonly heading: string; readonly text: string };

/**
 * Makes a PDF of plain text, on pages of A4. The same sections make the same bytes. Null for a character that the standard fonts
 * of PDF lack.
 */
export function pdfOf(sections: readonly Section[]): Buffer | null {
  const lines = sections.flatMap(({ heading, text }) => [heading.toUpperCase(), '', ...wrapped(text), '']);
  const encoded = lines.map(encodedOf);
  if (!encoded.every((line) => line !== null)) return null;
  const pages = chunksOf(encoded, LINES_OF_PAGE);
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${pageNumber(index)} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${pageNumber(index) + 1} 0 R >>`,
      streamOf(page),
    ]),
  ]);
}

/** The numbers of the objects 1 to 3 are taken. Each page has two objects. */
const pageNumber = (index: number): number => 4 + 2 * index;

const LINES_OF_PAGE = 54;
const CHARACTERS_OF_LINE = 90;

/** Breaks a text into lines, at spaces where there are any. */
function wrapped(text: string): readonly string[] {
  return text.split(/\r?\n/).flatMap((paragraph) => {
    const lines: string[] = [];
    let rest = paragraph.replaceAll('\t', '  ');
    while (rest.length > CHARACTERS_OF_LINE) {
      const space = rest.lastIndexOf(' ', CHARACTERS_OF_LINE);
      const end = space > 0 ? space : CHARACTERS_OF_LINE;
      lines.push(rest.slice(0, end));
      rest = rest.slice(end).trimStart();
    }
    return [...lines, rest];
  });
}

/** Writes a page: ten points of type, fourteen from line to line, from the upper left. */
function streamOf(lines: readonly string[]): string {
  const content = [
    'BT',
    '/F1 10 Tf',
    '14 TL',
    '56 800 Td',
    ...lines.map((line) => `(${line}) Tj T*`),
    'ET',
  ].join('\n');
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

/** Characters of typographers in the encoding of Windows. */
const TYPOGRAPHIC: Readonly<Record<string, number>> = {
  ...{
    '€': 0x80,
    '…': 0x85,
    '‘': 0x91,
    '’': 0x92,
    '“': 0x93,
    '”': 0x94,
    '•': 0x95,
    '–': 0x96,
    '—': 0x97,
    '™': 0x99,
  },
};

/** Encodes a line, one character for each byte. Null for a character without a byte. */
function encodedOf(line: string): string | null {
  let encoded = '';
  for (const character of line.normalize('NFC')) {
    const code = TYPOGRAPHIC[character] ?? character.codePointAt(0) ?? 0;
    const isKnown =
      code < 0x100 &&
      code >= 0x20 &&
      code !== 0x7f &&
      (TYPOGRAPHIC[character] !== undefined || code < 0x7f || code > 0x9f);
    if (!isKnown) return null;
    encoded += '\\()'.includes(character) ? `\\${character}` : String.fromCharCode(code);
  }
  return encoded;
}

/** Joins the objects, with the table of their places. All characters are single bytes. */
function fileOf(objects: readonly string[]): Buffer {
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

const chunksOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
