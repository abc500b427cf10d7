/**
 * The api-version of what the stable SDK does not have of AKS: machines of agent pools, and versions of node images.
 * AKS refuses a member that a version does not know, and ends a preview about a year after its date: this one has
 * all that `aks-machines/aks-machine.ts` writes.
 */
export const AKS_API_VERSION = '2026-08-02-preview';

/** A call that is made at another version than was wanted. */
export interface VersionFallback {
  /** `microsoft.compute/virtualmachines`, in small letters. */
  readonly type: string;
  readonly wanted: string;
  readonly used: string;
  /** What cannot be done at the version that is used; undefined: nothing is known to be missing. */
  readonly lacks: string | undefined;
}

/** The api-versions of calls: the wanted one where the subscription offers it, else the nearest one that it offers. */
export interface ApiVersions {
  /** Offered versions of a resource type (`Microsoft.Compute/virtualMachines`). An empty list is ignored. */
  learn(type: string, offered: readonly string[]): void;
  /** The version for a call; `own` is the one that the call was written for. */
  versionFor(type: string, own: string): string;
}

export interface ApiVersionsSource {
  /** Resource type or provider namespace → version, as the user states it. The type wins. */
  readonly chosen: Readonly<Record<string, string>>;
  /** Called once for each type and version. */
  readonly onFallback: (fallback: VersionFallback) => void;
}

/**
 * What a type lacks before a day. Sources: the models of `azure-mgmt-containerservice`, 41.9.0b1 and before; those of
 * `@azure/arm-compute` 25.1, which name the first version of a member: of the others that machines are written with
 * the youngest is `capacityReservation`, of 2021-04-01. The models of `@azure/arm-network` 39.0 name no version.
 */
const LACKS: Readonly<Record<string, { readonly before: string; readonly what: string }>> = {
  'microsoft.containerservice/managedclusters/agentpools/machines': {
    before: '2026-08-02',
    what: 'localDNS, ultra disks and encryption at the host of classes are refused by AKS',
  },
  'microsoft.compute/virtualmachines': {
    before: '2024-03-01',
    what: 'ephemeral OS disks on NVMe are refused by Azure: machines of sizes that have no other place for them are not made',
  },
};

const dayOf = (version: string): string => version.slice(0, 'YYYY-MM-DD'.length);
const isStable = (version: string): boolean => version.length === 'YYYY-MM-DD'.length;

/** By day; of one day the stable version is the newer. */
const byAge = (a: string, b: string): number =>
  dayOf(a) === dayOf(b) ? Number(isStable(a)) - Number(isStable(b)) || (a < b ? -1 : 1) : dayOf(a) < dayOf(b) ? -1 : 1;

/**
 * The newest that is not after the wanted one, or else the oldest after it. A stable one is not replaced by a preview
 * where there is a choice.
 */
const nearestOf = (offered: readonly string[], wanted: string): string => {
  const stable = offered.filter(isStable);
  const candidates = (isStable(wanted) && stable.length > 0 ? stable : offered).toSorted(byAge);
  return candidates.findLast((version) => dayOf(version) <= dayOf(wanted)) ?? candidates[0] ?? wanted;
};

const lackOf = (type: string, version: string): string | undefined => {
  const lack = LACKS[type];
  return lack !== undefined && dayOf(version) < lack.before ? lack.what : undefined;
};

/** Nothing is known at first: calls are made at their own versions. */
export const apiVersions = ({ chosen, onFallback }: ApiVersionsSource): ApiVersions => {
  const configured = new Map(Object.entries(chosen).map(([key, version]) => [key.toLowerCase(), version]));
  const offeredOf = new Map<string, readonly string[]>();
  const reported = new Set<string>();
  const report = (fallback: VersionFallback): void => {
    const key = `${fallback.type} ${fallback.used}`;
    if (!reported.has(key)) onFallback(fallback);
    reported.add(key);
  };
  return {
    learn: (type, offered) => {
      if (offered.length > 0) offeredOf.set(type.toLowerCase(), offered);
    },
    versionFor: (name, own) => {
      const type = name.toLowerCase();
      const wanted = configured.get(type) ?? configured.get(type.slice(0, type.indexOf('/'))) ?? own;
      const offered = offeredOf.get(type);
      const used = offered === undefined || offered.includes(wanted) ? wanted : nearestOf(offered, wanted);
      const lacks = lackOf(type, used);
      if (used !== wanted || lacks !== undefined) report({ type, wanted, used, lacks });
      return used;
    },
  };
};
