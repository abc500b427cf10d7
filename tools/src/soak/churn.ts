import type { NodePool, Pod } from '@karpenter/core';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import { aDeployment, aNodeClass, aPool, oneOf } from '../../../apps/controller/src/testing/clusters/objects.ts';
import type { TestCluster } from '../../../apps/controller/src/testing/clusters/test-cluster.ts';
import type { Random } from '../bench/inputs/random.ts';
import { WaitingPods } from './waiting-pods.ts';
import type { SoakSubject } from './soak-subject.ts';
import type { TlsFront } from './tls-front.ts';

const pods: KindRef<Pod & ApiObject> = { kind: 'Pod' };
const deployments: KindRef<ApiObject> = { kind: 'Deployment', apiVersion: 'apps/v1' };
const overlay = { kind: 'NodeOverlay', apiVersion: 'karpenter.sh/v1alpha1' };

const NAMES = Array.from({ length: 12 }, (_, index) => `work-${index}`);
const CPUS = ['250m', '500m', '1', '1500m', '3'];
const MOST_REPLICAS = 12;
/** Clients read a kubeconfig again every minute. */
const ANNOUNCED_MS = 90_000;

const pool = (): NodePool & ApiObject => {
  const { spec, ...rest } = aPool([oneOf('karpenter.azure.com/sku-cpu', '2', '4', '8')]);
  const { template } = spec;
  const requirements = template.spec.requirements.filter(({ key }) => key !== 'karpenter.sh/capacity-type');
  return {
    ...rest,
    spec: {
      template: {
        ...template,
        spec: {
          ...template.spec,
          requirements: [...requirements, oneOf('karpenter.sh/capacity-type', 'spot', 'on-demand')],
          expireAfter: '6h',
        },
      },
      disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '30s', budgets: [{ nodes: '50%' }] },
    },
  };
};

/**
 * What a soak does to a cluster: deployments that come and go, interruptions, drift, prices, tokens, certificates and
 * watches that end.
 */
export class Churn implements Disposable {
  readonly #cluster: TestCluster;
  readonly #front: SoakSubject['front'];
  readonly #random: Random;
  readonly #waiting: WaitingPods;
  #changes = 0;
  #announcedMs: number | undefined;

  constructor({ cluster, front }: Pick<SoakSubject, 'cluster' | 'front'>, random: Random) {
    this.#cluster = cluster;
    this.#front = front;
    this.#random = random;
    this.#waiting = new WaitingPods(cluster);
    for (const object of [aNodeClass, pool()]) cluster.local.create(object);
  }

  get changes(): number {
    return this.#changes;
  }

  /** One change, most often of a deployment. */
  change(): void {
    this.#changes += 1;
    const drawn = this.#random.below(100);
    if (drawn < 70) this.#scale();
    else if (drawn < 80) this.#interrupt();
    else if (drawn < 83) this.#drift();
    else if (drawn < 90) this.#reprice();
    else if (drawn < 93) this.#cluster.arm.revokeTokens();
    else if (drawn >= 97) this.#endWatches();
    else if (this.#front === undefined) this.#scale();
    else if (drawn < 95) this.#front.rotateToken();
    else this.#rotateCertificate(this.#front);
  }

  /** Pods so far that waited for a node for more than a quarter of an hour, and those that were deleted while they waited. */
  get waits(): { readonly missed: number; readonly deleted: number } {
    return this.#waiting.counts();
  }

  [Symbol.dispose](): void {
    this.#waiting[Symbol.dispose]();
  }

  pods(): readonly (Pod & ApiObject)[] {
    return this.#cluster.local.list(pods, { namespace: 'default' });
  }

  #scale(): void {
    const { local } = this.#cluster;
    const name = this.#random.oneOf(NAMES);
    const replicas = this.#random.below(MOST_REPLICAS + 1);
    const key = { namespace: 'default', name };
    if (local.get(deployments, key) === undefined) local.create(aDeployment({ name, replicas, cpu: this.#random.oneOf(CPUS) }));
    else if (replicas === 0) local.delete(deployments, key);
    else local.patch('Deployment', key, { type: 'merge', body: { spec: { replicas } } });
  }

  #interrupt(): void {
    const spot = this.#cluster.arm
      .vms()
      .filter(({ capacityType, provisioningState }) => capacityType === 'spot' && provisioningState === 'Succeeded');
    if (spot.length > 0) this.#cluster.arm.evict(this.#random.oneOf(spot).name);
  }

  #drift(): void {
    const body = { spec: { template: { metadata: { labels: { generation: `g${this.#changes}` } } } } };
    this.#cluster.local.patch('NodePool', { name: 'general' }, { type: 'merge', body });
  }

  /** Other prices for one number of cores, in Azure's list or by a NodeOverlay. */
  #reprice(): void {
    const { local, arm } = this.#cluster;
    const cores = this.#random.oneOf(['2', '4', '8']);
    if (this.#random.below(2) === 0) {
      const share = 0.6 + this.#random.below(80) / 100;
      arm.changePrices((size) => (/\d+/.exec(size)?.[0] === cores ? share : 1));
      return;
    }
    const spec = {
      requirements: [oneOf('karpenter.azure.com/sku-cpu', cores)],
      priceAdjustment: `${this.#random.below(2) === 0 ? '-' : '+'}${1 + this.#random.below(40)}%`,
    };
    if (local.get(overlay, { name: 'prices' }) !== undefined) local.delete(overlay, { name: 'prices' });
    local.create({ ...overlay, metadata: { name: 'prices' }, ...{ spec } });
  }

  /** Announces the next certificate, and shows it when clients have had the time to read of it. */
  #rotateCertificate(front: TlsFront): void {
    const now = this.#cluster.clock.now();
    if (this.#announcedMs === undefined) {
      front.announceCertificate();
      this.#announcedMs = now;
    } else if (now >= this.#announcedMs + ANNOUNCED_MS) {
      front.useCertificate();
      this.#announcedMs = undefined;
    }
  }

  /** Half of the time with the history that a watch could go on from. */
  #endWatches(): void {
    if (this.#random.below(2) === 0) this.#cluster.faults.compact();
    this.#cluster.faults.dropWatches();
  }
}
