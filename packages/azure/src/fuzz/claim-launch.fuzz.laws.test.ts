import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeBootstrap } from '@karpenter/azure-emulator';
import { type NodeClaim, requirementsOf } from '@karpenter/core';
import { nodeClaimCrd } from '@karpenter/core/internal';
import { fakeClock } from '@karpenter/runtime';
import { ApiError, type ApiObject, type ApiServer, startApiServer } from '@karpenter/api-server';
import { fuzzCases, mutationsOf, ObjectDrawing, publishedSchemas, withinCaseTime } from '@karpenter/testkit';
import fc from 'fast-check';
import { aksLabels, azureLabelCatalog } from '../apis/index.ts';
import { bootstrapProblems, customDataOf, kubeletFlagsOf, nodeTaintsOf, nodeValueProblems } from '../bootstrap/index.ts';
import { singleValues } from '../catalog/index.ts';
import { aBootstrapSource } from '../testing/bootstrap-source.ts';

const claim = {
  ...{ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', metadata: { name: 'x', labels: { team: 'a' } } },
  spec: {
    nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
    requirements: [
      { key: 'example.com/rack', operator: 'In', values: ['r1'] },
      { key: 'example.com/size', operator: 'Gt', values: ['3'] },
    ],
    taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }],
    startupTaints: [{ key: 'c', effect: 'NoExecute' }],
    resources: { requests: { cpu: '1500m' } },
  },
};

let server: ApiServer;
let drawing: ObjectDrawing;
beforeAll(async () => {
  server = await startApiServer({ clock: fakeClock(Date.UTC(2026, 0, 1)) });
  server.installCrds(JSON.stringify(nodeClaimCrd));
  drawing = new ObjectDrawing(await publishedSchemas(server.url), [claim]);
});
afterAll(() => server.close());

/** The claim as the API server has it; undefined where it is refused, which must name why. */
const stored = (drawn: object): NodeClaim | undefined => {
  try {
    const created = server.local.create(JSON.parse(JSON.stringify(drawn)) as ApiObject);
    server.local.patch(created, { name: 'x' }, { type: 'merge', body: { metadata: { finalizers: null } } });
    server.local.delete(created, { name: 'x' });
    return created as unknown as NodeClaim;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.message).toMatch(/\S/);
    return undefined;
  }
};

const flagsWith = ({ spec }: Pick<NodeClaim, 'spec'>): readonly string[] =>
  kubeletFlagsOf({
    ...{ kubernetesVersion: '1.33.4', maxPods: 30, kubeReserved: { cpuMillis: 100, memoryMiB: 1843 }, clusterDns: '10.0.0.10' },
    ...{ taints: nodeTaintsOf(spec), kubelet: {} },
  });
const flagNames = flagsWith({ spec: { ...claim.spec, taints: [], startupTaints: [], requirements: [] } }).map(
  (flag) => flag.slice(2).split('=')[0],
);

/** What a node of the claim starts from: refused with fields, or with the flags of every node and the labels of the claim. */
const launch = ({ metadata, spec }: NodeClaim): boolean => {
  const labels = { [aksLabels.role]: 'agent', ...metadata.labels, ...singleValues(requirementsOf(spec.requirements, azureLabelCatalog)) };
  const source = aBootstrapSource({ labels, kubeletFlags: flagsWith({ spec }) });
  const problems = [...nodeValueProblems({ nodeClass: {}, claim: spec, labels }), ...bootstrapProblems(source)];
  for (const { field, problem } of problems) expect([field, problem]).not.toContain('');
  if (problems.length > 0) return false;
  const node = decodeBootstrap(customDataOf(source));
  expect(Object.keys(node.kubeletFlags).sort()).toEqual([...flagNames].sort());
  expect(Object.keys(node.labels).sort()).toEqual(Object.keys(labels).sort());
  expect(node.taints).toHaveLength(nodeTaintsOf(spec).length);
  return true;
};

const holds = (claims: fc.Arbitrary<object>): void => {
  let launched = 0;
  fc.assert(
    fc.property(claims, (drawn) => {
      const accepted = stored(drawn);
      if (accepted !== undefined && withinCaseTime(() => launch(accepted))) launched += 1;
    }),
    fuzzCases(5),
  );
  expect(launched).toBeGreaterThan(0);
};

describe('a NodeClaim that the API server accepts is launched with its own labels and taints, or refused with the field', () => {
  test('mutated', () => holds(mutationsOf(claim.spec).map((spec) => ({ ...claim, spec }))));
  test('drawn from its schema', () => holds(drawing.around(claim)));
});
