import { createSecureContext } from 'node:tls';
import { invalidOption, reasonOf } from '../toolkit-error.js';

/** Whom a client trusts, and how it proves who it is. All as PEM. */
export interface TlsSettings {
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: string | undefined;
  /** Whether to accept any certificate. Default false. */
  readonly insecure?: boolean | undefined;
  /** The certificate of the client, with those that lead to its authority. */
  readonly cert?: string | undefined;
  /** The private key of that certificate, without a passphrase. */
  readonly key?: string | undefined;
}

/** What a connection with TLS is opened with. */
export interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The settings as Node takes them. */
export function tlsOptions({ ca, insecure = false, cert, key }: TlsSettings): TlsOptions {
  return {
    rejectUnauthorized: !insecure,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
}

/** @throws ToolkitError `invalid-option` if there is one without the other, or no connection can use them */
export function checkClientCertificate({ cert, key }: TlsSettings, url: URL): void {
  if (cert === undefined && key === undefined) return;
  if (cert === undefined || key === undefined)
    throw invalidOption('a client certificate needs both: the certificate (cert) and its private key (key)');
  if (url.protocol !== 'https:') throw invalidOption('a client certificate needs a base URL with https');
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw invalidOption(
      `the client certificate and its key cannot be used, as PEM without a passphrase: ${reasonOf(cause)}`,
    );
  }
}
