import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '@karpenter/kube-api-contract/programs';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { aDeployment } from './testing/clusters/objects.ts';
import { controlPlane } from './testing/processes/control-plane.ts';
import { RealStory } from './testing/processes/real-story.ts';

jest.setTimeout(600_000);

const program = join(controlPlane, 'kwok');
const packageFolder = join(import.meta.dirname, '../../../packages/kwok');
const isThere = controlPlane !== '' && existsSync(program);

if (controlPlane !== '' && !isThere) process.stderr.write(`${program} is not there: the story of @karpenter/kwok cannot run here\n`);

const describeWithKwok = isThere ? describe : describe.skip;

describeWithKwok("@karpenter/kwok on Kubernetes' own control plane", () => {
  const parts = new AsyncDisposableStack();
  let story: RealStory;

  beforeAll(async () => {
    const moreCrds = [join(packageFolder, 'crds/karpenter.kwok.sh_kwoknodeclasses.yaml')];
    story = parts.use(await RealStory.start(controlPlane, { moreCrds, variables: { CLOUD_PROVIDER: '@karpenter/kwok' } }));
    const { kubeconfigPath, programs } = story.cluster;
    parts.use(
      startProgram(
        { path: program, logPath: join(programs.folder, 'kwok.log') },
        {
          ...{ kubeconfig: kubeconfigPath, cidr: '10.0.0.1/16', 'node-lease-duration-seconds': 40 },
          ...{ 'manage-all-nodes': false, 'manage-nodes-with-annotation-selector': 'kwok.x-k8s.io/node=fake' },
        },
      ),
    );
    await story.kubectl('apply', '-f', join(packageFolder, 'examples/kwok.yaml'));
  });

  afterAll(() => parts.disposeAsync());

  const nodeNames = async (): Promise<readonly string[]> => (await story.nodes()).map(({ metadata }) => metadata.name);
  const claimNames = (): Promise<string> => story.kubectl('get', 'nodeclaims', '-o', 'jsonpath={.items[*].metadata.name}');

  test('pending pods › run on a node that kwok keeps alive', async () => {
    await story.create(aDeployment({ name: 'web', replicas: 3 }));
    await story.until('three pods run', async () => (await story.running('web')).length === 3);
    const [node, ...others] = await story.nodes();
    expect(others).toEqual([]);
    expect(node?.metadata.annotations?.['kwok.x-k8s.io/node']).toBe('fake');
    expect(node?.spec?.providerID).toMatch(/^kwok:/);
    expect((await story.running('web')).map(({ spec }) => spec.nodeName)).toEqual(Array.from({ length: 3 }, () => node?.metadata.name));
    await story.shows(/^True$/, 'get', 'nodeclaims', '-o', 'jsonpath={.items[*].status.conditions[?(@.type=="Initialized")].status}');
  });

  test('a controller that starts again › finds its machine and makes no other', async () => {
    const before = [await nodeNames(), await claimNames()];
    await story.restart();
    await story.scale('web', 2);
    await story.until('two pods are left', async () => (await story.pods('web')).length === 2);
    expect([await nodeNames(), await claimNames()]).toEqual(before);
  });

  test('no pods any more › neither claim nor node is left', async () => {
    await story.scale('web', 0);
    await story.until('nothing is left', async () => (await nodeNames()).length === 0 && (await claimNames()) === '');
  });
});
