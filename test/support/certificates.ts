import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A certificate authority of a test, and a certificate that it issued. Texts are PEM. */
export type TestChain = {
  readonly root: string;
  readonly intermediate: string;
  readonly leaf: string;
  readonly leafKey: KeyObject;
};

export type Validity = { readonly from: Date; readonly until: Date };

type Keys = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

/** The keys of a chain, from the root to the leaf. */
export type ChainKeys = readonly [root: Keys, intermediate: Keys, leaf: Keys];

/** Issues a chain of root, intermediate and leaf for a host. Node can read certificates but cannot make them. */
export function issueChain(
  host: string,
  validity: Validity,
  [root, intermediate, leaf]: ChainKeys = createChainKeys(),
): TestChain {
  return {
    root: certificate({
      ...{ serial: 1, subject: 'Test Root', issuer: 'Test Root', validity },
      ...{ publicKey: root.publicKey, issuerKey: root.privateKey, host: null },
    }),
    intermediate: certificate({
      ...{ serial: 2, subject: 'Test Intermediate', issuer: 'Test Root', validity },
      ...{ publicKey: intermediate.publicKey, issuerKey: root.privateKey, host: null },
    }),
    leaf: certificate({
      ...{ serial: 3, subject: host, issuer: 'Test Intermediate', validity },
      ...{ publicKey: leaf.publicKey, issuerKey: intermediate.privateKey, host },
    }),
    leafKey: leaf.privateKey,
  };
}

export const createChainKeys = (): ChainKeys => [newKeys(), newKeys(), newKeys()];

const newKeys = (): Keys => generateKeyPairSync('rsa', { modulusLength: 2048 });

type Facts = {
  readonly serial: number;
  readonly subject: string;
  readonly issuer: string;
  readonly validity: Validity;
  readonly publicKey: KeyObject;
  readonly issuerKey: KeyObject;
  /** The host of a leaf. Null for an authority. */
  readonly host: string | null;
};

// The tags of DER.
const [BOOLEAN, INTEGER, BITS, OCTETS, NULL, OID, UTF8] = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0c];
const [GENERALIZED_TIME, SEQUENCE, SET] = [0x18, 0x30, 0x31];
const [VERSION, EXTENSIONS, DNS_NAME] = [0xa0, 0xa3, 0x82];

// Object identifiers in the encoding of DER.
const SHA256_WITH_RSA = '2a864886f70d01010b';
const COMMON_NAME = '550403';
const BASIC_CONSTRAINTS = '551d13';
const KEY_USAGE = '551d0f';
const ALTERNATIVE_NAME = '551d11';

function certificate({ serial, subject, issuer, validity, publicKey, issuerKey, host }: Facts): string {
  const algorithm = der(SEQUENCE, oid(SHA256_WITH_RSA), der(NULL));
  const content = der(
    ...[SEQUENCE, der(VERSION, integer(2)), integer(serial), algorithm, nameOf(issuer)],
    ...[der(SEQUENCE, timeOf(validity.from), timeOf(validity.until)), nameOf(subject)],
    ...[publicKey.export({ type: 'spki', format: 'der' }), der(EXTENSIONS, extensionsOf(host))],
  );
  const signature = sign('sha256', content, issuerKey);
  const whole = der(SEQUENCE, content, algorithm, der(BITS, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function extensionsOf(host: string | null): Buffer {
  const isAuthority = host === null;
  const critical = der(BOOLEAN, Buffer.from([0xff]));
  // An authority signs certificates, and a leaf signs content.
  const usage = isAuthority ? [1, 0x06] : [7, 0x80];
  return der(
    SEQUENCE,
    der(
      ...[SEQUENCE, oid(BASIC_CONSTRAINTS), critical],
      der(OCTETS, isAuthority ? der(SEQUENCE, critical) : der(SEQUENCE)),
    ),
    der(SEQUENCE, oid(KEY_USAGE), critical, der(OCTETS, der(BITS, Buffer.from(usage)))),
    ...(isAuthority
      ? []
      : [der(SEQUENCE, oid(ALTERNATIVE_NAME), der(OCTETS, der(SEQUENCE, der(DNS_NAME, Buffer.from(host)))))]),
  );
}

const nameOf = (text: string): Buffer =>
  der(SEQUENCE, der(SET, der(SEQUENCE, oid(COMMON_NAME), der(UTF8, Buffer.from(text)))));

const timeOf = (date: Date): Buffer =>
  der(GENERALIZED_TIME, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));

const oid = (hex: string): Buffer => der(OID, Buffer.from(hex, 'hex'));

const integer = (value: number): Buffer => der(INTEGER, Buffer.from([value]));

/** Encodes a value of DER: its tag, its length and its parts. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}
