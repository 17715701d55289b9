import { X509Certificate, type KeyObject } from 'node:crypto';
import { getCACertificates } from 'node:tls';

/** The demands on the certificate of a signer. */
export type Trust = {
  /** The hosts that the certificate may be for. */
  readonly signers: readonly string[];
  /** The authorities at the end of a chain. */
  readonly roots: () => readonly X509Certificate[];
};

/** A signer by its certificate. */
export type CertifiedSigner = {
  readonly key: KeyObject;
  /**
   * True if both hold:
   *
   * - A chain of authorities leads from the certificate to a trusted root. The text holds the authorities between.
   * - The whole chain is valid at the moment.
   */
  readonly isTrusted: boolean;
};

/**
 * Reads the signer from a text with certificates in PEM. Null without a certificate for one of the hosts that has an RSA key.
 */
export function signerOf(pem: string, { signers, roots }: Trust, now: Date): CertifiedSigner | null {
  const certificates = readAll(pem);
  const leaf = certificates.find((each) => signers.some((host) => isFor(each, host)));
  if (!leaf || leaf.publicKey.asymmetricKeyType !== 'rsa') return null;
  const between = certificates.filter((each) => each !== leaf);
  return { key: leaf.publicKey, isTrusted: hasChain(leaf, { between, roots: roots(), now }) };
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

/**
 * Returns the authorities that Node trusts: the public ones, and those of `NODE_EXTRA_CA_CERTS`. An operator can name an
 * authority between there. They are read once, because there are more than a hundred.
 */
export const readPublicRoots = (): readonly X509Certificate[] =>
  (publicRoots ??= getCACertificates('default').map((pem) => new X509Certificate(pem)));
