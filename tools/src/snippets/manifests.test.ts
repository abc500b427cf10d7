import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { type ApiServer, type KubeObject, startApiServer } from '@karpenter/simulator';
import { parse } from 'yaml';
import { crdFiles } from '../crds/crd-files.ts';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
const BLOCK = /```yaml\n(spec:\n[\s\S]*?)```/g;

/** Each part of a NodePool that a page shows: a block that begins with its `spec`. */
const parts = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => [...readFileSync(join(docs, name), 'utf8').matchAll(BLOCK)].map(([, text = '']): [string, string] => [name, text]));

const nodeClassRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };

const poolWith = (text: string): KubeObject & { readonly spec: object } => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'shown' },
  spec: { template: { spec: { requirements: [], nodeClassRef } }, ...(parse(text) as { readonly spec: object }).spec },
});

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer({ clock: fakeClock() });
  server.installCrds(...crdFiles().values());
});
afterAll(() => server.close());

describe('parts of a NodePool that pages show', () => {
  test('are there', () => expect(parts.map(([page]) => page)).toEqual(expect.arrayContaining(['disruption.md', 'scheduling.md'])));

  test.each(parts)('%s: the API server takes\n%s', (_page, text) => {
    const pool = poolWith(text);
    expect(server.local.create(pool)).toMatchObject({ spec: pool.spec });
    server.local.delete('NodePool', { name: 'shown' });
  });
});
