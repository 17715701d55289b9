/** An answer that arrives in events. */
export type EventStream = {
  readonly status: number;
  readonly mediaType: string | null;
  /** Returns the next event, without the empty line behind it. Null at the end. */
  next(): Promise<string | null>;
  /** Returns all that is left, at the end of the answer. */
  text(): Promise<string>;
  close(): void;
};

/** Posts an operation and accepts an event stream alone, unless the headers say otherwise. */
export async function openEventStream(
  url: string,
  query: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query }),
    signal: abort.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  const fill = async (): Promise<boolean> => {
    const read = await reader?.read();
    buffer += read?.value ?? '';
    return read?.done !== true;
  };
  return {
    status: response.status,
    mediaType: response.headers.get('content-type'),
    next: async () => {
      while (!buffer.includes('\n\n')) if (!(await fill())) return null;
      const end = buffer.indexOf('\n\n');
      const event = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      return event;
    },
    text: async () => {
      while (await fill());
      return buffer;
    },
    close: () => abort.abort(),
  };
}
