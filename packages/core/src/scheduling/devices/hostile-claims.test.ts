import { expect, test } from '@jest/globals';
import { snapshotOf } from '../../cluster/index.ts';
import type { Device, ResourceClaim } from '../../kube/index.ts';
import { explain } from '../rejection/rejection-text.ts';
import { defaultSchedulingPolicy } from '../policy.ts';
import { planning, simulate } from '../what-if.ts';
import { DRIVER, nodePool } from './testing/a-gpu-claim.ts';

interface Claimants {
  readonly claims: readonly ResourceClaim[];
  readonly devices: readonly Device[];
  /** How many equal types of machine have the devices. */
  readonly types?: number;
  /** How many pods share each claim. */
  readonly podsOfClaim?: number;
}

/** Pending pods with claims, and no nodes. */
const pending = ({ claims, devices, types = 1, podsOfClaim = 1 }: Claimants) =>
  snapshotOf({
    nodePools: [nodePool],
    deviceClasses: [{ metadata: { name: 'gpu' }, spec: {} }],
    instanceTypes: Array.from({ length: types }, (_, index) => ({
      name: `type-${index}`,
      capacity: { cpu: '64', memory: '256Gi', pods: '1000' },
      pricePerHour: { 'on-demand': 1 },
      dynamicResources: { resourceSliceTemplates: [{ driver: DRIVER, pool: 'gpus', devices }] },
    })),
    resourceClaims: claims,
    pods: claims.flatMap(({ metadata: { name, namespace = 'default' } }) =>
      Array.from({ length: podsOfClaim }, (_, index) => ({
        metadata: { name: podsOfClaim === 1 ? name : `${name}-${index}`, namespace },
        spec: { containers: [{ name: 'main' }], resourceClaims: [{ name: 'gpu', resourceClaimName: name }] },
      })),
    ),
  });

test('a claim with very many combinations is tried as often over 12 types as over 3, and no longer without a pause than over one', () => {
  let reads = 0;
  /** No two devices match. */
  const root = (index: number) => ({
    get int() {
      reads++;
      return index;
    },
  });
  const devices = Array.from({ length: 32 }, (_, index) => ({ name: `gpu-${index}`, attributes: { root: root(index) } }));
  const request = (name: string, count: number) => ({ name, exactly: { deviceClassName: 'gpu', count } });
  const hostile = { requests: [request('r', 16), request('s', 16)], constraints: [{ requests: ['s'], matchAttribute: `${DRIVER}/root` }] };
  /** How many tries a plan takes, and how many of them at most between two pauses. */
  const triesOver = (types: number) => {
    const steps = planning(
      pending({ claims: [{ metadata: { name: 'hostile', namespace: 'default' }, spec: { devices: hostile } }], devices, types }),
      defaultSchedulingPolicy,
      () => false,
    );
    let [all, most] = [0, 0];
    for (;;) {
      reads = 0;
      const step = steps.next();
      [all, most] = [all + reads, Math.max(most, reads)];
      if (step.done !== true) continue;
      expect(step.value.rejections).toHaveLength(1);
      return { all, most };
    }
  };
  expect(triesOver(12).all / triesOver(3).all).toBeLessThan(2);
  expect(triesOver(12).most / triesOver(1).most).toBeLessThan(1.5);
});

test('pods with claims over 60 types are planned a few times only: each plan costs thousands of searches', () => {
  const numbers = Array.from({ length: 60 }, (_, index) => index);
  const snapshot = snapshotOf({
    nodePools: [nodePool],
    deviceClasses: [{ metadata: { name: 'gpu' }, spec: {} }],
    instanceTypes: numbers.map((index) => ({
      name: `type-${index}`,
      capacity: { cpu: '4', memory: '16Gi' },
      pricePerHour: { 'on-demand': 1 + index / 100 },
      dynamicResources: { resourceSliceTemplates: [{ driver: DRIVER, pool: 'gpus', devices: [{ name: 'gpu' }] }] },
    })),
    resourceClaims: numbers.map((index) => ({
      metadata: { name: `claim-${index}`, namespace: 'default' },
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } },
    })),
    pods: numbers.map((index) => ({
      metadata: { name: `pod-${index}` },
      spec: { containers: [{ name: 'main' }], resourceClaims: [{ name: 'gpu', resourceClaimName: `claim-${index}` }] },
    })),
  });
  const steps = planning(snapshot, defaultSchedulingPolicy, () => false);
  let pauses = 0;
  while (steps.next().done !== true) pauses++;
  expect(pauses).toBeLessThan(1000);
});

test('a claim whose selectors take too many steps is refused by name, and other pods are placed', () => {
  const list = `[${'0,'.repeat(49)}0]`;
  const costly = `${list}.all(a, ${list}.all(b, ${list}.all(c, c == 0))) && device.driver == ""`;
  const claimWith = (name: string, expression: string) => ({
    metadata: { name, namespace: 'default' },
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', selectors: [{ cel: { expression } }] } }] } },
  });
  const claims = [claimWith('hostile', costly), claimWith('plain', `device.driver == "${DRIVER}"`)];
  const devices = Array.from({ length: 20 }, (_, index) => ({ name: `gpu-${index}`, attributes: { index: { int: index } } }));
  const { plannedNodes, rejections } = simulate(pending({ claims, devices }));
  expect(plannedNodes.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual(['plain']);
  expect(rejections.map(explain)).toEqual([
    expect.stringMatching(
      /^Pod default\/hostile is too complex: its selectors of devices make planning it cost [\d,]+ units, at most 104,166 are spent on a pod$/,
    ),
  ]);
});

test('when 257 pods use one claim › 256 have a place, as many as Kubernetes lets use it', () => {
  const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu' } }];
  const claim = { metadata: { name: 'shared', namespace: 'default' }, spec: { devices: { requests } } };
  const { plannedNodes, rejections } = simulate(pending({ claims: [claim], devices: [{ name: 'gpu' }], podsOfClaim: 257 }));
  expect([plannedNodes.flatMap(({ pods }) => pods).length, rejections.length]).toEqual([256, 1]);
});

test('when pods of one namespace claim by many costly selectors › the pods of another are placed, and planning stays short', () => {
  const list = `[${'0,'.repeat(29)}0]`;
  const claimWith = (namespace: string, index: number, expression: string) => ({
    metadata: { name: `claim-${index}`, namespace },
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', selectors: [{ cel: { expression } }] } }] } },
  });
  const claims = [
    ...Array.from({ length: 30 }, (_, index) => claimWith('a', index, `${list}.exists(a, ${list}.exists(b, a + b == ${index + 1}))`)),
    claimWith('b', 30, `device.driver == "${DRIVER}"`),
  ];
  const devices = Array.from({ length: 40 }, (_, index) => ({ name: `gpu-${index}`, attributes: { index: { int: index } } }));
  const { plannedNodes, rejections } = simulate(pending({ claims, devices }));
  expect(plannedNodes.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.namespace))).toEqual(['b']);
  expect(rejections.map(explain).filter((text) => text.includes('after those of other pods of its namespace'))).not.toEqual([]);
});

test('when claims of one namespace take long to explain › its other pods are rejected with that reason, and a pod of another is explained', () => {
  const request = (name: string, count: number) => ({ name, exactly: { deviceClassName: 'gpu', count } });
  const hostile = (index: number) => ({
    metadata: { name: `hostile-${index}`, namespace: 'a' },
    spec: {
      devices: {
        requests: [request(`r-${index}`, 16), request('s', 16)],
        constraints: [{ requests: ['s'], matchAttribute: `${DRIVER}/root` }],
      },
    },
  });
  const plain = { metadata: { name: 'plain', namespace: 'b' }, spec: { devices: { requests: [request('r', 32)] } } };
  const claims = [...Array.from({ length: 4 }, (_, index) => hostile(index)), plain];
  const devices = Array.from({ length: 31 }, (_, index) => ({ name: `gpu-${index}`, attributes: { root: { int: index } } }));
  const { rejections } = simulate(pending({ claims, devices, types: 8 }));
  const texts = rejections.map(explain);
  expect(texts.filter((text) => text.includes('the claims of other pods of its namespace took too long'))).toHaveLength(2);
  expect(texts.find((text) => text.startsWith('Pod b/plain'))).toContain('request r of ResourceClaim b/plain wants 32 devices');
});
