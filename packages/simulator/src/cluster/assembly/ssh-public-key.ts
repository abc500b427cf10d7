import { generateKeyPairSync } from 'node:crypto';

const field = (bytes: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

const RAW_KEY_BYTES = 32;

/** A new key in the form of `~/.ssh/id_ed25519.pub`; its private half is thrown away. */
export const newSshPublicKey = (): string => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-RAW_KEY_BYTES);
  return `ssh-ed25519 ${Buffer.concat([field(Buffer.from('ssh-ed25519')), field(raw)]).toString('base64')} simulator`;
};
