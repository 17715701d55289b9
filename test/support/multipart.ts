/** A part of a multipart body. The content has one character for each byte. */
export type Part = {
  readonly name: string;
  readonly filename: string | null;
  readonly type: string;
  readonly content: string;
};

/** Reads the parts of a multipart body in latin1. Null if the content type names no boundary. */
export function readParts(contentType: string, body: string): readonly Part[] | null {
  const boundary = /^multipart\/[\w-]+;.*boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined) return null;
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => readPart(part.slice(2, -2)));
}

function readPart(part: string): Part {
  const end = part.indexOf('\r\n\r\n');
  const head = part.slice(0, end);
  return {
    name: /[; ]name="([^"]*)"/.exec(head)?.[1] ?? '',
    filename: /filename="([^"]*)"/.exec(head)?.[1] ?? null,
    type: /^content-type:\s*([^\r\n;]+)/im.exec(head)?.[1]?.trim() ?? '',
    content: part.slice(end + 4),
  };
}
