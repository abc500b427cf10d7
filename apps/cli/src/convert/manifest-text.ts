import { Document, visit } from 'yaml';

/** `kubectl` and `helm` read YAML 1.1, and octal numbers of 1.2 besides. */
const OCTAL = /^[-+]?0o/i;

/** An object as YAML that every reader of manifests reads alike: `"on"`, `"1_000"` and `"0o14"` stay texts. */
export const manifestText = (manifest: object): string => {
  const document = new Document(manifest, { version: '1.1' });
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && OCTAL.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
};
