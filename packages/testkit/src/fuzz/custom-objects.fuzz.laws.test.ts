import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog, type NodeClaim, type NodePool } from '@karpenter/core';
import {
  budgetProblemsOf,
  nodeClaimCrd,
  nodeClaimProblems,
  type NodeOverlay,
  nodeOverlayCrd,
  nodeOverlayProblems,
  nodePoolCrd,
  nodePoolHash,
  nodePoolProblems,
} from '@karpenter/core/internal';
import { fakeClock } from '@karpenter/runtime';
import { ApiError, type ApiServer, type ApiObject, startApiServer } from '@karpenter/api-server';
import fc from 'fast-check';
import { ObjectDrawing, publishedSchemas } from '../arbitraries/drawn-objects.ts';
import { fuzzCases, mutationsOf, withinCaseTime } from '../arbitraries/mutations.ts';

const requirement = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z1', 'z2'], minValues: 1 };
const nodeClassRef = { group: 'karpenter.test', kind: 'TestNodeClass', name: 'default' };
const machine = {
  ...{ nodeClassRef, expireAfter: '720h', terminationGracePeriod: '1h' },
  requirements: [requirement, { key: 'example.com/size', operator: 'Gt', values: ['3'] }],
  taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }],
  startupTaints: [{ key: 'c', effect: 'NoExecute' }],
};
const metadata = { name: 'x', labels: { team: 'a' }, annotations: { 'karpenter.sh/do-not-disrupt': '1h' } };

const claim = {
  ...{ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', metadata },
  spec: { ...machine, resources: { requests: { cpu: '1500m', memory: '2Gi' } } },
};
const pool = {
  ...{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata },
  spec: {
    ...{ weight: 10, limits: { cpu: '1000', nodes: '20' } },
    disruption: {
      ...{ consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '30s' },
      budgets: [{ nodes: '10%', schedule: '0 9 * * *', duration: '8h', reasons: ['Drifted'] }, { nodes: '3' }],
    },
    template: { metadata: { labels: { team: 'a' }, annotations: { note: 'x' } }, spec: machine },
  },
};
const overlay = {
  ...{ apiVersion: 'karpenter.sh/v1alpha1', kind: 'NodeOverlay', metadata },
  spec: { requirements: [requirement], priceAdjustment: '-10%', capacity: { 'example.com/fuse': '10' }, weight: 5 },
};

let server: ApiServer;
let drawing: ObjectDrawing;
beforeAll(async () => {
  server = await startApiServer({ clock: fakeClock(Date.UTC(2026, 0, 1)) });
  server.installCrds(...[nodeClaimCrd, nodePoolCrd, nodeOverlayCrd].map((crd) => JSON.stringify(crd)));
  drawing = new ObjectDrawing(await publishedSchemas(server.url), [claim, pool, overlay]);
});
afterAll(() => server.close());

/** The object as the API server has it; undefined where it is refused, which must name why. */
const stored = (object: object): ApiObject | undefined => {
  try {
    return server.local.create(object as ApiObject);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.message).toMatch(/\S/);
    return undefined;
  }
};

interface Problem {
  readonly field: string;
  readonly problem: string;
}

/**
 * Reads what the API server accepts of such objects, each within a second; what is wrong has a field and a sentence.
 */
const holds = (objects: fc.Arbitrary<object>, read: (object: ApiObject) => readonly Problem[]): void => {
  let accepted = 0;
  fc.assert(
    fc.property(objects, (drawn) => {
      // Lists that structuredClone made are none to the rules of the definitions where Jest has a realm of its own.
      const object = stored(JSON.parse(JSON.stringify(drawn)) as object);
      if (object === undefined) return;
      accepted += 1;
      server.local.patch(object, { name: metadata.name }, { type: 'merge', body: { metadata: { finalizers: null } } });
      server.local.delete(object, { name: metadata.name });
      const problems = withinCaseTime(() => read(object));
      for (const { field, problem } of problems) expect([field, problem]).not.toContain('');
    }),
    fuzzCases(5),
  );
  expect(accepted).toBeGreaterThan(0);
};

const sorts = [
  [
    'mutated',
    <T extends typeof claim | typeof pool | typeof overlay>(base: T) => mutationsOf(base.spec).map((spec) => ({ ...base, spec })),
  ],
  ['drawn from their schemas', <T extends typeof claim | typeof pool | typeof overlay>(base: T) => drawing.around(base)],
] as const;

describe.each(sorts)('what the API server accepts is read, or what is wrong with it is named: %s', (_, objectsAround) => {
  test('NodeClaims', () =>
    holds(objectsAround(claim), (object) => nodeClaimProblems(object as NodeClaim & ApiObject, defaultLabelCatalog)));

  test('NodePools, with their budgets and hash', () =>
    holds(objectsAround(pool), (object) => {
      const nodePool = object as NodePool & ApiObject;
      expect(nodePoolHash(nodePool)).not.toBe('');
      return [...nodePoolProblems(nodePool, defaultLabelCatalog), ...budgetProblemsOf(nodePool)];
    }));

  test('NodeOverlays', () =>
    holds(objectsAround(overlay), (object) => nodeOverlayProblems(object as NodeOverlay & ApiObject, defaultLabelCatalog)));
});
