import {
  capacityTypes,
  type CloudProvider,
  CloudProviderError,
  type CreateOptions,
  defaultLabelCatalog,
  type DeleteOutcome,
  firstConflict,
  fits,
  type InstanceType,
  type LabelCatalog,
  labels,
  type Machine,
  type NodeClaim,
  type NodeClassKind,
  type Offering,
  quantitiesOf,
  requirementsOf,
  resourcesOf,
  subtractResources,
} from '@karpenter/core';
import type { CloudProviderErrorCode, TypesAsPlanned } from '@karpenter/core/internal';
import { assortedInstanceTypes } from '../builders/index.ts';
import { FakeReservations } from './fake-reservations.ts';

export interface FakeCloudProviderOptions {
  /** Default `assortedInstanceTypes(5)`. */
  readonly instanceTypes?: readonly InstanceType[];
  readonly labelCatalog?: LabelCatalog;
}

interface FakeMachine {
  readonly machine: Machine;
  isTerminating: boolean;
}

const NODE_CLASS: NodeClassKind = { group: 'test.karpenter.dev', version: 'v1', kind: 'TestNodeClass', plural: 'testnodeclasses' };

interface Purchase {
  readonly type: InstanceType;
  readonly offering: Offering;
}

const noAnswer = (): Promise<never> => Promise.reject(new CloudProviderError('network', 'made to give no answer'));

/** A cloud in a map: launches at once, the cheapest that will do; a deleted machine is terminating once, then gone. */
export class FakeCloudProvider implements CloudProvider {
  readonly name = 'fake';
  readonly getSupportedNodeClasses = (): readonly NodeClassKind[] => [NODE_CLASS];
  readonly repairPolicies = [];
  readonly labelCatalog: LabelCatalog;
  /** Every call fails until it is false again. */
  isCutOff = false;
  /** Names of claims for which `create` was called, in order. */
  readonly launches: string[] = [];
  /** NodeClasses that are not there. */
  readonly missingNodeClasses = new Set<string>();
  /** Claim name → why its machine is no longer what it should be. */
  readonly drifted = new Map<string, string>();
  readonly #instanceTypes: readonly InstanceType[];
  readonly #machines = new Map<string, FakeMachine>();
  readonly #failures: CloudProviderErrorCode[] = [];
  readonly #reservations = new FakeReservations();

  constructor({ instanceTypes = assortedInstanceTypes(5), labelCatalog = defaultLabelCatalog }: FakeCloudProviderOptions = {}) {
    this.#instanceTypes = instanceTypes;
    this.labelCatalog = labelCatalog;
  }

  /** The next launches fail so, one after the other. */
  failNext(...codes: readonly CloudProviderErrorCode[]): void {
    this.#failures.push(...codes);
  }

  /** Ends a machine behind Karpenter's back. */
  loseMachine(claimName: string): void {
    this.#machines.delete(claimName);
  }

  create(claim: NodeClaim, { asPlanned }: Partial<CreateOptions> = {}): Promise<Machine> {
    if (this.isCutOff) return noAnswer();
    const { name } = claim.metadata;
    this.launches.push(name);
    const known = this.#machines.get(name);
    if (known !== undefined) return Promise.resolve(this.#reported(known));
    const refusal = this.#refusalOf(claim);
    if (refusal !== undefined) return Promise.reject(refusal);
    const purchase = this.#cheapestFor(claim, asPlanned);
    if (purchase === undefined)
      return Promise.reject(new CloudProviderError('insufficient-capacity', `nothing that is sold will do for ${name}`));
    const made = { machine: machineOf(name, purchase), isTerminating: false };
    this.#machines.set(name, made);
    this.#reservations.take(purchase.offering);
    return Promise.resolve(this.#reported(made));
  }

  delete(claim: NodeClaim): Promise<DeleteOutcome> {
    if (this.isCutOff) return noAnswer();
    const { name } = claim.metadata;
    const found = this.#machines.get(name);
    if (found === undefined) return Promise.resolve('gone');
    if (found.isTerminating) {
      this.#machines.delete(name);
      return Promise.resolve('gone');
    }
    found.isTerminating = true;
    return Promise.resolve('terminating');
  }

  get(providerId: string): Promise<Machine | undefined> {
    if (this.isCutOff) return noAnswer();
    const found = [...this.#machines.values()].find(({ machine }) => machine.providerId === providerId);
    return Promise.resolve(found === undefined ? undefined : this.#reported(found));
  }

  list(): Promise<readonly Machine[]> {
    if (this.isCutOff) return noAnswer();
    return Promise.resolve([...this.#machines.values()].map((each) => this.#reported(each)));
  }

  getInstanceTypes(): Promise<readonly InstanceType[]> {
    return Promise.resolve(this.#reservations.offered(this.#instanceTypes));
  }

  isDrifted(claim: NodeClaim): Promise<string | undefined> {
    return Promise.resolve(this.drifted.get(claim.metadata.name));
  }

  #reported({ machine, isTerminating }: FakeMachine): Machine {
    return { ...machine, isTerminating };
  }

  #refusalOf({ spec: { nodeClassRef } }: NodeClaim): CloudProviderError | undefined {
    if (this.missingNodeClasses.has(nodeClassRef.name))
      return new CloudProviderError('node-class-not-ready', `there is no ${nodeClassRef.kind} ${nodeClassRef.name}`);
    const code = this.#failures.shift();
    return code === undefined ? undefined : new CloudProviderError(code, `made to fail: ${code}`);
  }

  #cheapestFor(claim: NodeClaim, asPlanned: TypesAsPlanned | undefined): Purchase | undefined {
    const offered = this.#reservations.offered(this.#instanceTypes);
    const wanted = requirementsOf(claim.spec.requirements, this.labelCatalog);
    const requests = resourcesOf(claim.spec.resources?.requests);
    return (asPlanned?.(claim, offered) ?? offered)
      .filter(
        (type) => fits(requests, subtractResources(type.capacity, type.overhead)) && firstConflict(type.requirements, wanted) === undefined,
      )
      .flatMap((type) => type.offerings.map((offering) => ({ type, offering })))
      .filter(({ offering }) => offering.isAvailable && offering.reservation?.remaining !== 0)
      .filter(({ offering }) => firstConflict(offering.requirements, wanted) === undefined)
      .sort((a, b) => a.offering.pricePerHour - b.offering.pricePerHour)[0];
  }
}

const onlyValues = ({ requirements }: InstanceType | Offering): Readonly<Record<string, string>> => {
  const only: Record<string, string> = {};
  for (const { key, values } of requirements.values()) {
    const [value] = values.values;
    if (values.kind === 'in' && values.values.size === 1 && value !== undefined) only[key] = value;
  }
  return only;
};

const machineOf = (claimName: string, { type, offering }: Purchase): Machine => ({
  claimName,
  providerId: `fake:///${claimName}`,
  labels: { ...onlyValues(type), [labels.capacityType]: capacityTypes.onDemand, ...onlyValues(offering) },
  capacity: quantitiesOf(type.capacity),
  allocatable: quantitiesOf(subtractResources(type.capacity, type.overhead)),
  imageId: 'fake-image',
});
