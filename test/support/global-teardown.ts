/** Ends the Postgres of the run and removes its folder. */
export default async function tearDown(): Promise<void> {
  await (globalThis as unknown as { readonly stopTestServer: () => Promise<void> }).stopTestServer();
}
