import { idKey, nameOf } from '../arm-id.ts';
import type { ArmRefusal } from '../faults/arm-error.ts';
import type { ArmWorld } from '../world.ts';
import type { NicBody } from './nic-body.ts';

/** What an interface names: its subnets, its security group, and the load balancers of its backend pools. */
const idsIn = ({ properties }: NicBody): readonly string[] => [
  ...properties.ipConfigurations.flatMap((configuration) => [
    configuration.properties.subnet.id,
    ...(configuration.properties.loadBalancerBackendAddressPools ?? []).map(({ id }) => id.replace(/\/backendAddressPools\/[^/]+$/i, '')),
  ]),
  ...(properties.networkSecurityGroup ? [properties.networkSecurityGroup.id] : []),
];

const operationOn = (id: string): string => {
  if (/\/subnets\//i.test(id)) return 'PutSubnetOperation';
  return /\/loadBalancers\//i.test(id) ? 'PutLoadBalancerOperation' : 'PutSecurityRuleOperation';
};

/** The seconds that Azure asks clients to wait. */
const RETRY_AFTER_SECONDS = 10;

/** A resource of the network that is being written, and who named it. */
const busy = (id: string, nicId: string): ArmRefusal => ({
  status: 429,
  retryAfterSeconds: RETRY_AFTER_SECONDS,
  error: {
    code: 'RetryableError',
    message: 'A retryable error occurred.',
    details: [
      {
        code: 'ReferencedResourceNotProvisioned',
        message:
          `Cannot proceed with operation because resource ${id} used by resource ${nicId} is not in Succeeded state. Resource is in Updating ` +
          `state and the last operation that updated/is updating the resource is ${operationOn(id)}.`,
      },
    ],
  },
});

/** Writes to the network that somebody else makes: interfaces that name what is being written have to wait. */
export class NetworkWriters {
  readonly #world: ArmWorld;
  readonly #untilMs = new Map<string, number>();

  constructor(world: ArmWorld) {
    this.#world = world;
  }

  /** Starts a write to a subnet, security group or load balancer, which ends by itself. */
  update(id: string, forMs: number): void {
    this.#untilMs.set(idKey(id), this.#world.clock.now() + forMs);
  }

  /** Why an interface may not be written now, or undefined. */
  refusal(nicId: string, body: NicBody): ArmRefusal | undefined {
    const ids = idsIn(body);
    const written = ids.find((id) => this.#isWritten(id)) ?? this.#writtenByRoutine(ids);
    return written === undefined ? undefined : busy(written, nicId);
  }

  #isWritten(id: string): boolean {
    return (this.#untilMs.get(idKey(id)) ?? 0) > this.#world.clock.now();
  }

  /** One of them after the other, by the clock alone. */
  #writtenByRoutine(ids: readonly string[]): string | undefined {
    const { networkWrites } = this.#world.behaviours;
    if (networkWrites === undefined) return undefined;
    const sinceStartMs = this.#world.clock.now() - this.#world.startedMs;
    const round = Math.floor(sinceStartMs / networkWrites.everyMs);
    const isNow = sinceStartMs % networkWrites.everyMs < networkWrites.forMs;
    const inOrder = [...new Set(ids)].sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
    return isNow ? inOrder[round % inOrder.length] : undefined;
  }
}
