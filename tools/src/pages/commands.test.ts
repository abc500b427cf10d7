import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, jest, test } from '@jest/globals';
import { systemClock } from '@karpenter/runtime';
import { type ApiServer, type ApiObject, startApiServer } from '@karpenter/api-server';
import { parseAllDocuments } from 'yaml';
import { checkoutWithStandIns } from './checkout.ts';
import { fencesOf } from './fence-checks.ts';
import type { Fence } from './fence.ts';
import { pageScriptOf } from './page-script.ts';
import { describeWithHelm } from '../../../apps/controller/src/chart/helm.ts';
import { crdFiles } from '../crds/crd-files.ts';
import { repository } from '../repository.ts';

jest.setTimeout(240_000);

const command = process.env['KUBECTL'] ?? 'kubectl';
const hasKubectl = spawnSync(command, ['version', '--client']).status === 0;
if (!hasKubectl) {
  process.stderr.write(`kubectl is not installed (searched for "${command}"): the commands of pages cannot run here; they fail under CI\n`);
}
/** Needs kubectl and helm, which have to be there in CI; elsewhere the suite is skipped, and standard error says why. */
const describeWithTools = hasKubectl || process.env['CI'] !== undefined ? describeWithHelm : describe.skip;

/**
 * What is in the cluster of who reads a page: a node, the manifests of the demo, a controller, and the token with which
 * nodes join.
 */
const OBJECTS = `
{apiVersion: v1, kind: Node, metadata: {name: somebody}}
---
{apiVersion: v1, kind: Secret, metadata: {name: bootstrap-token-abcdef, namespace: kube-system}, type: bootstrap.kubernetes.io/token, stringData: {token-id: abcdef, token-secret: 0123456789abcdef}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: karpenter, namespace: kube-system}
spec:
  selector: {matchLabels: {app: karpenter}}
  template:
    metadata: {labels: {app: karpenter}}
    spec: {containers: [{name: controller, image: karpenter}]}
---
${['general-purpose', 'inflate'].map((name) => readFileSync(repository(`docs/examples/${name}.yaml`), 'utf8')).join('---\n')}`;

const startCluster = async (): Promise<ApiServer> => {
  const server = await startApiServer({ clock: systemClock });
  server.installCrds(...crdFiles().values());
  for (const document of parseAllDocuments(OBJECTS)) {
    const object = document.toJS() as ApiObject;
    server.local.create(object.kind === 'Deployment' ? { ...object, metadata: { namespace: 'default', ...object.metadata } } : object);
  }
  return server;
};

const byPage = Map.groupBy(fencesOf('commands'), ({ page }) => page);

const withoutTrailingBlanks = (text: string): string => text.replaceAll(/ +$/gm, '');

/** Page → file that its commands leave behind, and what is in it. */
const made: Readonly<Record<string, readonly (readonly [file: string, text: string])[]>> = {
  'CONTRIBUTING.md': [['packages/core/package.json', '"directory": "packages/core"']],
  'docs/convert.md': [['new.yaml', 'karpenter.azure.com/v1beta1']],
  'docs/getting-started.md': [
    ['values.yaml', "value: 'abcdef.0123456789abcdef'"],
    ['karpenter.yaml', 'image: myregistry.azurecr.io/karpenter:0.1.0'],
    ['karpenter-crds.yaml', 'kind: CustomResourceDefinition'],
  ],
};

describeWithTools('the commands of a page, one after the other', () => {
  test.each([...byPage])('%s: work as they are written', async (page: string, fences: readonly Fence[]) => {
    await using server = await startCluster();
    using checkout = checkoutWithStandIns();
    const { script, answers } = pageScriptOf(fences);
    const { status, stderr } = await checkout.run(script, server.kubeconfig());
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    for (const [file, answer] of Object.entries(answers)) expect(withoutTrailingBlanks(checkout.read(file))).toBe(answer);
    for (const [file, text] of made[page] ?? []) expect(checkout.read(file)).toContain(text);
  });
});
