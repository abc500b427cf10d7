import {
  type CloudProvider,
  CloudProviderError,
  defaultLabelCatalog,
  firstConflict,
  fits,
  type InstanceType,
  labelRequirements,
  type Machine,
  type NodeClaim,
  quantitiesOf,
  requirementsOf,
  resourcesOf,
  subtractResources,
} from '@karpenter/core';
import { hasClassHashDrifted } from '@karpenter/core/provider-kit';
import type { KubeClient } from '@karpenter/runtime';
import { type Hosts, hostProviderIdOf } from './hosts.ts';
import { hostCapacityOf, typesOfHosts, labelsOf, typeNameOf } from './instance-types.ts';
import { type Host, sshHash, type SshNodeClass, sshNodeClassKind } from './node-class.ts';

/** A host that works for a claim. */
interface Working {
  readonly host: Host;
  readonly nodeClass: SshNodeClass;
  readonly owner: string;
}

/** Machines that already run, and join the cluster on a command over SSH. */
export class SshProvider implements CloudProvider {
  readonly name = 'ssh';
  readonly getSupportedNodeClasses = () => [sshNodeClassKind];
  readonly labelCatalog = defaultLabelCatalog;
  readonly repairPolicies = [{ conditionType: 'Ready', conditionStatus: 'Unknown', tolerationMs: 600_000 }] as const;
  readonly #kube: Pick<KubeClient, 'get' | 'list'>;
  readonly #hosts: Hosts;
  /** Addresses of hosts that had an owner when they were last asked. */
  readonly #taken = new Set<string>();
  #offered: { readonly state: string; readonly types: readonly InstanceType[] } | undefined;

  constructor(kube: Pick<KubeClient, 'get' | 'list'>, hosts: Hosts) {
    this.#kube = kube;
    this.#hosts = hosts;
  }

  async create(claim: NodeClaim, { signal }: { signal: AbortSignal }): Promise<Machine> {
    const nodeClass = await this.#classOf(claim.spec, signal);
    const { name } = claim.metadata;
    const known = (await this.#working(signal)).find(({ owner }) => owner === name);
    if (known) return this.#machineOf(known);
    for (const host of this.#fitting(claim, nodeClass)) {
      const owner = await this.#hosts.take(host, { name, nodeClass }, signal);
      this.#taken.add(host.address);
      if (owner === name) return this.#machineOf({ host, nodeClass, owner });
    }
    throw new CloudProviderError('insufficient-capacity', `no host is free for ${name}`);
  }

  async delete({ metadata: { name } }: NodeClaim, { signal }: { signal: AbortSignal }): Promise<'terminating' | 'gone'> {
    const known = (await this.#working(signal)).find(({ owner }) => owner === name);
    if (!known) return 'gone';
    await this.#hosts.free(known.host, known.nodeClass, signal);
    this.#taken.delete(known.host.address);
    return 'terminating';
  }

  async get(providerId: string, options: { signal: AbortSignal }): Promise<Machine | undefined> {
    return (await this.list(options)).find((machine) => machine.providerId === providerId);
  }

  async list({ signal }: { signal: AbortSignal }): Promise<readonly Machine[]> {
    return (await this.#working(signal)).map((each) => this.#machineOf(each));
  }

  async getInstanceTypes({ spec }: Parameters<CloudProvider['getInstanceTypes']>[0], { signal }: { signal: AbortSignal }) {
    const { hosts } = (await this.#classOf(spec.template.spec, signal)).spec;
    const state = JSON.stringify([hosts, [...this.#taken].sort()]);
    if (this.#offered?.state !== state) this.#offered = { state, types: typesOfHosts(hosts, ({ address }) => this.#taken.has(address)) };
    return this.#offered.types;
  }

  async isDrifted(claim: NodeClaim, { signal }: { signal: AbortSignal }): Promise<string | undefined> {
    return hasClassHashDrifted(claim, await this.#classOf(claim.spec, signal), sshHash) ? 'NodeClassDrift' : undefined;
  }

  /** Smallest first. */
  #fitting({ spec: { requirements, resources } }: NodeClaim, nodeClass: SshNodeClass): readonly Host[] {
    const wanted = requirementsOf(requirements, this.labelCatalog);
    const types = new Map(typesOfHosts(nodeClass.spec.hosts, () => false).map((type) => [type.name, type]));
    const hasRoom = (type: InstanceType): boolean =>
      fits(resourcesOf(resources?.requests), subtractResources(type.capacity, type.overhead));
    return nodeClass.spec.hosts
      .flatMap((host) => ({ host, type: types.get(typeNameOf(host)) }))
      .filter(({ host, type }) => type && hasRoom(type) && !firstConflict(labelRequirements(labelsOf(host)), wanted))
      .sort((a, b) => (a.type?.capacity['cpu'] ?? 0) - (b.type?.capacity['cpu'] ?? 0))
      .map(({ host }) => host);
  }

  #machineOf({ host, nodeClass, owner }: Working): Machine {
    const [type] = typesOfHosts([host], () => true);
    const { hash, version } = sshHash.annotations;
    return {
      ...{ providerId: hostProviderIdOf(host, owner), claimName: owner, labels: labelsOf(host), capacity: hostCapacityOf(host) },
      allocatable: type ? quantitiesOf(subtractResources(type.capacity, type.overhead)) : {},
      annotations: { [hash]: sshHash.of(nodeClass), [version]: sshHash.version },
    };
  }

  async #working(signal: AbortSignal): Promise<readonly Working[]> {
    const { items } = await this.#kube.list<SshNodeClass>('SshNodeClass', { signal });
    const all = items.flatMap((nodeClass) => nodeClass.spec.hosts.map((host) => ({ host, nodeClass })));
    const asked = await Promise.all(all.map(async (each) => ({ ...each, owner: await this.#hosts.ownerOf(each.host, signal) })));
    return asked.flatMap(({ owner, ...each }) => (owner === undefined ? [] : [{ ...each, owner }]));
  }

  async #classOf({ nodeClassRef: { name } }: Pick<NodeClaim['spec'], 'nodeClassRef'>, signal: AbortSignal): Promise<SshNodeClass> {
    const found = await this.#kube.get<SshNodeClass>('SshNodeClass', { name }, { signal });
    if (found) return found;
    throw new CloudProviderError('node-class-not-ready', `there is no SshNodeClass ${name}`);
  }
}
