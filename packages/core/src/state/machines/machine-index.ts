import type { NodeClaim } from '../../apis/index.ts';
import { compareText } from '../../base/index.ts';
import { byAge } from '../../kube/index.ts';
import type { Node } from '../../kube/index.ts';

/**
 * One machine's identity in state, stable from claim to node: `claim/<name>`, or `node/<name>` for a node that no claim
 * owns.
 */
export type MachineKey = string;

export const keyOfClaim = (claimName: string): MachineKey => `claim/${claimName}`;
const keyOfLoneNode = (nodeName: string): MachineKey => `node/${nodeName}`;

const inOrderOfTrust =
  (named: string | undefined) =>
  ({ metadata: a }: Node, { metadata: b }: Node): number =>
    Number(b.name === named) - Number(a.name === named) ||
    compareText(a.creationTimestamp ?? '', b.creationTimestamp ?? '') ||
    compareText(a.name, b.name);

/** Nodes and claims, matched by provider id, and which machines changed since they were last asked for. */
export class MachineIndex {
  readonly #claims = new Map<string, NodeClaim>();
  readonly #nodes = new Map<string, Node>();
  readonly #claimsByProviderId = new Map<string, readonly string[]>();
  readonly #nodesByProviderId = new Map<string, Set<string>>();
  readonly #changed = new Set<MachineKey>();

  setClaim(claim: NodeClaim): void {
    this.#forgetClaimId(claim.metadata.name);
    this.#claims.set(claim.metadata.name, claim);
    const id = claim.status?.providerID;
    if (id !== undefined) this.#claimsByProviderId.set(id, [...(this.#claimsByProviderId.get(id) ?? []), claim.metadata.name]);
    this.touch(keyOfClaim(claim.metadata.name));
    this.#touchAllWith(id);
  }

  deleteClaim(name: string): void {
    this.#forgetClaimId(name);
    this.#claims.delete(name);
    this.touch(keyOfClaim(name));
  }

  setNode(node: Node): void {
    this.#forgetNodeId(node.metadata.name);
    this.#nodes.set(node.metadata.name, node);
    const id = node.spec?.providerID;
    if (id !== undefined) {
      const sharing = this.#nodesByProviderId.get(id) ?? new Set();
      this.#nodesByProviderId.set(id, sharing.add(node.metadata.name));
    }
    this.touchNode(node.metadata.name);
  }

  deleteNode(name: string): void {
    this.touchNode(name);
    this.#forgetNodeId(name);
    this.#nodes.delete(name);
  }

  claim(name: string): NodeClaim | undefined {
    return this.#claims.get(name);
  }

  node(name: string): Node | undefined {
    return this.#nodes.get(name);
  }

  /**
   * The node that the claim names, then the oldest first. More than one means that somebody registered a machine twice:
   * whoever may create a Node may state any provider id.
   */
  nodesWith(providerId: string): readonly Node[] {
    const names = [...(this.#nodesByProviderId.get(providerId) ?? [])];
    const nodes = names.flatMap((name) => this.#nodes.get(name) ?? []);
    return nodes.length < 2 ? nodes : nodes.sort(inOrderOfTrust(this.claimWith(providerId)?.status?.nodeName));
  }

  /**
   * The claim whose machine this is. More than one means that somebody wrote the status of a claim: then it is the one
   * that the node names as its owner, else the oldest.
   */
  claimWith(providerId: string): NodeClaim | undefined {
    const [name = '', ...others] = this.#claimsByProviderId.get(providerId) ?? [];
    if (others.length === 0) return this.#claims.get(name);
    const owners = this.#ownersWith(providerId);
    const isOwner = ({ metadata: { uid } }: NodeClaim): boolean => uid !== undefined && owners.has(uid);
    const claims = [name, ...others].flatMap((each) => this.#claims.get(each) ?? []);
    return claims.sort((a, b) => Number(isOwner(b)) - Number(isOwner(a)) || byAge(a, b))[0];
  }

  /** The nodes of the claim's machine, as `nodesWith`. None where the machine is another claim's. */
  nodesOf({ metadata, status }: NodeClaim): readonly Node[] {
    const id = status?.providerID;
    return id === undefined || this.claimWith(id)?.metadata.name !== metadata.name ? [] : this.nodesWith(id);
  }

  /** The claim whose machine the node is; undefined for a further node that states its provider id. */
  claimOf(node: Node): NodeClaim | undefined {
    const id = node.spec?.providerID;
    return id === undefined || this.nodesWith(id)[0]?.metadata.name !== node.metadata.name ? undefined : this.claimWith(id);
  }

  /** The machine that a node belongs to. */
  keyOfNode(nodeName: string): MachineKey {
    const node = this.#nodes.get(nodeName);
    const claim = node === undefined ? undefined : this.claimOf(node);
    return claim === undefined ? keyOfLoneNode(nodeName) : keyOfClaim(claim.metadata.name);
  }

  /** What stands behind a key now; undefined when nothing does, or when it is a claim's, or another claim's. */
  lookup(key: MachineKey): { readonly claim?: NodeClaim; readonly node?: Node } | undefined {
    const name = key.slice(key.indexOf('/') + 1);
    if (key.startsWith('claim/')) return this.#machineOf(name);
    const node = this.#nodes.get(name);
    return node === undefined || this.claimWith(node.spec?.providerID ?? '') !== undefined ? undefined : { node };
  }

  #machineOf(claimName: string): { readonly claim: NodeClaim; readonly node?: Node } | undefined {
    const claim = this.#claims.get(claimName);
    const id = claim?.status?.providerID;
    if (claim === undefined || id === undefined) return claim && { claim };
    if (this.claimWith(id) !== claim) return undefined;
    const [node] = this.nodesWith(id);
    return node === undefined ? { claim } : { claim, node };
  }

  touch(key: MachineKey): void {
    this.#changed.add(key);
  }

  touchNode(nodeName: string): void {
    this.#changed.add(keyOfLoneNode(nodeName));
    this.#changed.add(this.keyOfNode(nodeName));
  }

  /** Machines that changed since the last call. */
  takeChanged(): ReadonlySet<MachineKey> {
    const changed = new Set(this.#changed);
    this.#changed.clear();
    return changed;
  }

  #ownersWith(providerId: string): ReadonlySet<string> {
    const names = [...(this.#nodesByProviderId.get(providerId) ?? [])];
    return new Set(names.flatMap((name) => this.#nodes.get(name)?.metadata.ownerReferences?.map(({ uid }) => uid) ?? []));
  }

  /** The nodes with the id may belong to another claim now. */
  #touchAllWith(providerId: string | undefined): void {
    if (providerId === undefined) return;
    for (const node of this.nodesWith(providerId)) this.#changed.add(keyOfLoneNode(node.metadata.name));
    this.#touchClaimsWith(providerId);
  }

  #touchClaimsWith(providerId: string): void {
    for (const name of this.#claimsByProviderId.get(providerId) ?? []) this.#changed.add(keyOfClaim(name));
  }

  /** Its nodes belong to nobody then, or to a claim that has the id, too, or gets it. */
  #forgetClaimId(name: string): void {
    const id = this.#claims.get(name)?.status?.providerID;
    if (id === undefined) return;
    const others = (this.#claimsByProviderId.get(id) ?? []).filter((each) => each !== name);
    if (others.length === 0) this.#claimsByProviderId.delete(id);
    else this.#claimsByProviderId.set(id, others);
    this.#touchAllWith(id);
  }

  #forgetNodeId(name: string): void {
    const id = this.#nodes.get(name)?.spec?.providerID;
    if (id === undefined) return;
    const sharing = this.#nodesByProviderId.get(id);
    sharing?.delete(name);
    if (sharing?.size === 0) this.#nodesByProviderId.delete(id);
    this.#touchClaimsWith(id);
  }
}
