import type { ArmAccount } from './account.ts';
import type { AzureEnvironmentFile } from './environment-file.ts';
import type { ArmFaults } from './faults/arm-faults.ts';
import type { ReservedCapacity } from './compute/reservations/capacity-reservations.ts';
import type { DiskRecord } from './compute/disks/disk-record.ts';
import type { VmEvent, VmRecord } from './compute/vms/vm-record.ts';
import type { ImageVersions } from './compute/images/image-versions.ts';
import type { NicRecord } from './network/nic-record.ts';
import type { AccessRules } from './subscription/access-rules.ts';
import type { RequestLog } from './serve/request-log.ts';

/** A running Azure Resource Manager, its identity provider and its retail prices, on one loopback port. */
export interface ArmEmulator extends AsyncDisposable {
  /** `https://127.0.0.1:<port>`, the ARM endpoint. */
  readonly url: string;
  /** Tokens: OpenID metadata, `/oauth2/v2.0/token`, and a managed identity endpoint at `/metadata/identity/oauth2/token`. */
  readonly authorityUrl: string;
  /** The retail prices endpoint, path included. */
  readonly pricesUrl: string;
  /** Where tokens for the tenant of the shared image galleries come from. */
  readonly auxiliaryTokensUrl: string;
  /** The service beside the control plane that writes user data for its nodes. */
  readonly nodeBootstrappingUrl: string;
  /** What clients must trust, by `NODE_EXTRA_CA_CERTS` or `tlsOptions.ca`. */
  readonly caPem: string;
  readonly account: ArmAccount;
  readonly faults: ArmFaults;
  readonly requests: RequestLog;
  /** What the caller may do: everything, until something is denied. */
  readonly access: AccessRules;
  /** The galleries; publish a version to make nodes drift. */
  readonly images: ImageVersions;
  /** What Azure keeps for the subscription, in capacity reservation groups. */
  readonly reservations: ReservedCapacity;
  environmentFile(): AzureEnvironmentFile;
  vms(): readonly VmRecord[];
  nics(): readonly NicRecord[];
  disks(): readonly DiskRecord[];
  /** Calls back, in order, for what happens to VMs from now on. */
  onVm(listener: (event: VmEvent) => void): Disposable;
  /**
   * Gives a spot VM its notice and deletes it `evictionNoticeMs` later, whatever its eviction policy; throws for a name
   * that is no spot VM.
   */
  evict(vmName: string): void;
  /** Says of every machine of the agent pool what AKS would have to do to it (`Recreate`), or that it need not (`Synced`). */
  driftMachines(action: string): void;
  /** Writes a subnet, security group or load balancer for so long: interfaces that name it are refused meanwhile. */
  updateNetwork(id: string, forMs: number): void;
  /** Sets the share of its list price that each size costs from now on, in the retail prices. */
  changePrices(shareOf: (size: string) => number): void;
  /** Every access token issued so far is refused from now on. */
  revokeTokens(): void;
  /** Stops serving and drops all timers; open connections are closed. */
  close(): Promise<void>;
}
