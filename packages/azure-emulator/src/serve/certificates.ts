import { generate } from 'selfsigned';

/** A certificate authority and a certificate for loopback signed by it, in PEM. Plain data: it may be kept in a file. */
export interface ArmCertificates {
  readonly caPem: string;
  readonly certPem: string;
  readonly keyPem: string;
}

const VALID_FOR_MS = 365 * 24 * 3_600_000;

/**
 * New certificates for 127.0.0.1, ::1 and localhost, valid from an hour ago for a year of the real world: TLS clients
 * judge them by their own clock, not by the emulator's. Takes about 30 ms.
 */
export const createArmCertificates = async (): Promise<ArmCertificates> => {
  const from = Date.now() - 3_600_000;
  const common = {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(from),
    notAfterDate: new Date(from + VALID_FOR_MS),
  } as const;
  const ca = await generate([{ name: 'commonName', value: 'Emulated Azure certificate authority' }], {
    ...common,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    ...common,
    ca: { key: ca.private, cert: ca.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
          { type: 2, value: 'localhost' },
        ],
      },
    ],
  });
  return { caPem: ca.cert, certPem: server.cert, keyPem: server.private };
};
