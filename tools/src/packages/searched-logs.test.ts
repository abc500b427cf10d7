import { expect, test } from '@jest/globals';
import { secretIn } from './searched-logs.ts';

const token = `eyJ${'a'.repeat(20)}.${'b'.repeat(20)}.${'c'.repeat(20)}`;

test.each([
  ['a bootstrap token', "KUBELET_BOOTSTRAP_TOKEN: 'abcdef.0123456789abcdef'"],
  ['a token of Azure or Kubernetes', `access_token=${token}`],
  ['a header with credentials', 'authorization: Bearer opaque-token-of-a-gallery'],
  ['custom data', `customData: '${Buffer.from('#!/bin/bash\necho').toString('base64')}'`],
  ['a signed URL', 'https://account.blob.core.windows.net/x?sv=2024&sig=abcdefghijklmnop%3D'],
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----'],
])('%s in the log of a test is found', (name, line) => expect(secretIn(line)).toBe(name));

test.each([
  'authorization: Bearer REDACTED',
  'created node general-abcdef.westus2',
  'https://management.azure.com/x?api-version=2024-01-01',
])('a line without secrets passes: %s', (line) => expect(secretIn(line)).toBeUndefined());
