import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

/** A certificate for 127.0.0.1 that signs itself, and its key, as PEM. */
export interface TestCertificate {
  readonly certificate: string;
  readonly key: string;
}

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};

const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const bitString = (body: Uint8Array): Buffer => der(0x03, bytes(0), body);
const time = (epochMs: number): Buffer => der(0x17, Buffer.from(`${new Date(epochMs).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

const ECDSA_WITH_SHA256 = sequence(der(0x06, bytes(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)));
const COMMON_NAME = der(0x06, bytes(0x55, 0x04, 0x03));
const SUBJECT_ALT_NAME = der(0x06, bytes(0x55, 0x1d, 0x11));
const BASIC_CONSTRAINTS = der(0x06, bytes(0x55, 0x1d, 0x13));
const TRUE = der(0x01, bytes(0xff));
const DAY_MS = 86_400_000;

const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));

const extensions = (): Buffer => {
  const addresses = sequence(der(0x87, bytes(127, 0, 0, 1)), der(0x82, Buffer.from('localhost')));
  return der(
    0xa3,
    sequence(sequence(SUBJECT_ALT_NAME, der(0x04, addresses)), sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE)))),
  );
};

/** A fresh one, valid for a day, so that no key has to be kept in the repository. */
export const testCertificate = (): TestCertificate => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  // OpenSSL tries one authority of a name: two in one bundle need two names.
  const name = nameOf(`runtime-test ${randomUUID()}`);
  const validity = sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS));
  const serial = der(0x02, bytes(1));
  const version = der(0xa0, der(0x02, bytes(2)));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(version, serial, ECDSA_WITH_SHA256, name, validity, name, spki, extensions());
  const certificate = sequence(body, ECDSA_WITH_SHA256, bitString(sign('sha256', body, privateKey)));
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};
