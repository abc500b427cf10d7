import type { Node, NodeClaim, NodePool } from '@karpenter/core';
import { karpenterKinds } from '@karpenter/core/controllers';
import { nodeClaimCrd, nodePoolCrd } from '@karpenter/core/internal';
import {
  createKubeClient,
  createTransport,
  fakeClock,
  type FakeClock,
  kindTable,
  type KubeClient,
  KubeError,
  type KubeObject,
  silentLogger,
} from '@karpenter/runtime';
import { type ApiServer, startApiServer } from '@karpenter/api-server';
import { type KWOKNodeClass, kwokNodeClassCrd, kwokNodeClassKind } from '../apis/kwok-node-class.ts';
import { genericTypes } from '../instance-types/generic-types.ts';
import { KwokProvider } from '../provider/kwok-provider.ts';

const STEP_MS = 500;
const START_MS = Date.UTC(2026, 5, 1);
const classRef = { kind: kwokNodeClassKind.kind, apiVersion: 'karpenter.kwok.sh/v1alpha1' };

/**
 * An embedded API server with a KWOKNodeClass `default`, and the provider over it. kwok itself is not there: nodes are
 * never Ready.
 */
export interface KwokCluster extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly api: ApiServer;
  readonly provider: KwokProvider;
  readonly nodePool: NodePool;
  /** Creates of Nodes so far. */
  creates(): number;
  /** Another process over the same cluster. */
  restarted(): KwokProvider;
  /** From now on no call to the API server is answered. */
  cutOff(): void;
  setSpec(spec: KWOKNodeClass['spec']): void;
  nodes(): readonly (Node & KubeObject)[];
  addClaim(claim: NodeClaim): void;
  /** Runs a call to its end while the clock moves. */
  run<T>(call: () => Promise<T>): Promise<T>;
}

const failing = (): Promise<never> => Promise.reject(new KubeError('the API server is cut off', { code: 'network', cause: undefined }));

/** The client, as long as it is not cut off. */
const severable = (client: KubeClient, state: { isCutOff: boolean; creates: number }): KubeClient => ({
  ...client,
  get: (...args) => (state.isCutOff ? failing() : client.get(...args)),
  list: (...args) => (state.isCutOff ? failing() : client.list(...args)),
  patch: (...args) => (state.isCutOff ? failing() : client.patch(...args)),
  delete: (...args) => (state.isCutOff ? failing() : client.delete(...args)),
  create: (...args) => {
    state.creates += 1;
    return state.isCutOff ? failing() : client.create(...args);
  },
});

const nodePool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: {
    template: {
      spec: { requirements: [], nodeClassRef: { group: kwokNodeClassKind.group, kind: kwokNodeClassKind.kind, name: 'default' } },
    },
  },
};

/** Starts it. */
export const startKwokCluster = async (): Promise<KwokCluster> => {
  const clock = fakeClock(START_MS);
  const api = await startApiServer({ clock });
  api.installCrds(...[nodePoolCrd, nodeClaimCrd, kwokNodeClassCrd].map((crd) => JSON.stringify(crd)));
  api.local.create({ ...classRef, metadata: { name: 'default' }, spec: {} });
  const transport = createTransport({ server: api.url, tls: {} }, { clock, qps: 10_000, burst: 10_000 });
  const kinds = kindTable([...karpenterKinds, { ...kwokNodeClassKind, namespaced: false }]);
  const state = { isCutOff: false, creates: 0 };
  const kube = severable(createKubeClient(transport, kinds), state);
  const restarted = (): KwokProvider => new KwokProvider({ kube, clock, logger: silentLogger, instanceTypes: genericTypes() });
  return {
    ...{ clock, api, nodePool, restarted, provider: restarted() },
    creates: () => state.creates,
    cutOff: () => void (state.isCutOff = true),
    setSpec: (spec) => void api.local.patch(classRef, { name: 'default' }, { type: 'merge', body: { spec } }),
    nodes: () => api.local.list<Node & KubeObject>({ kind: 'Node', apiVersion: 'v1' }),
    addClaim: (claim) => {
      const { status, ...rest } = claim;
      const created = api.local.create(rest);
      if (status !== undefined) api.local.updateStatus({ ...created, status });
    },
    run: async (call) => {
      let isOver = false;
      const running = call().finally(() => (isOver = true));
      // The caller that awaits `running` sees its failure. This line only marks it as handled while the clock moves.
      running.catch(() => undefined);
      await clock.advance(STEP_MS);
      while (!isOver) await clock.advance(STEP_MS);
      return running;
    },
    [Symbol.asyncDispose]: async () => {
      state.isCutOff = true;
      await transport.close();
      await api.close();
    },
  };
};
