import { X509Certificate, type KeyObject } from 'node:crypto';
import { rootCertificates } from 'node:tls';

/** The demands on the certificate of a signer. */
export type Trust = {
  /** The hosts that the certificate may be for. */
  readonly signers: readonly string[];
  /** The authorities at the end of a chain. */
  readonly roots: () => readonly X509Certificate[];
};

/**
 * Returns the key of the signer from a text with certificates in PEM. Null unless all of these hold:
 *
 * - The certificate is for one of the hosts, and has an RSA key.
 * - A chain of authorities leads from the certificate to a trusted root. The text holds the authorities between.
 * - The whole chain is valid at the moment.
 */
export function signerKeyOf(pem: string, { signers, roots }: Trust, now: Date): KeyObject | null {
  const certificates = readAll(pem);
  const leaf = certificates.find((each) => signers.some((host) => isFor(each, host)));
  if (!leaf || leaf.publicKey.asymmetricKeyType !== 'rsa') return null;
  const between = certificates.filter((each) => each !== leaf);
  return hasChain(leaf, { between, roots: roots(), now }) ? leaf.publicKey : null;
}

/** A chain has a leaf, one or two authorities, and a root. Forged texts could have any number. */
const CERTIFICATES_MAX = 6;

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the certificates of a text. Empty if one is not readable. */
function readAll(pem: string): readonly X509Certificate[] {
  const texts = pem.match(PEM) ?? [];
  if (texts.length > CERTIFICATES_MAX) return [];
  try {
    return texts.map((text) => new X509Certificate(text));
  } catch {
    return [];
  }
}

const isFor = (certificate: X509Certificate, host: string): boolean =>
  !certificate.ca && certificate.checkHost(host, { wildcards: false }) !== undefined;

type Chain = {
  readonly between: readonly X509Certificate[];
  readonly roots: readonly X509Certificate[];
  readonly now: Date;
};

/** True if a chain leads to a root. Each step takes another authority of the text, so the steps end. */
function hasChain(certificate: X509Certificate, { between, roots, now }: Chain): boolean {
  if (!isValid(certificate, now)) return false;
  if (roots.some((root) => isValid(root, now) && isIssuedBy(certificate, root))) return true;
  return between.some(
    (issuer) =>
      isIssuedBy(certificate, issuer) &&
      hasChain(issuer, { roots, now, between: between.filter((each) => each !== issuer) }),
  );
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

const isValid = ({ validFromDate, validToDate }: X509Certificate, now: Date): boolean =>
  validFromDate <= now && now <= validToDate;

let publicRoots: readonly X509Certificate[] | null = null;

/** Returns the public authorities that Node trusts. They are read once, because there are more than a hundred. */
export const readPublicRoots = (): readonly X509Certificate[] =>
  (publicRoots ??= rootCertificates.map((pem) => new X509Certificate(pem)));
