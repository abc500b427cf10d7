/** `spec.localDNS`: a DNS cache on each node. */
export interface LocalDNS {
  readonly mode: 'Preferred' | 'Required' | 'Disabled';
  readonly vnetDNSOverrides?: readonly LocalDNSZone[];
  readonly kubeDNSOverrides?: readonly LocalDNSZone[];
}

export interface LocalDNSZone {
  readonly zone: string;
  readonly queryLogging: 'Error' | 'Log';
  readonly protocol: 'PreferUDP' | 'ForceTCP';
  readonly forwardDestination: 'ClusterCoreDNS' | 'VnetDNS';
  readonly forwardPolicy: 'Sequential' | 'RoundRobin' | 'Random';
  readonly maxConcurrent: number;
  readonly cacheDuration: string;
  readonly serveStaleDuration: string;
  readonly serveStale: 'Verify' | 'Immediate' | 'Disable';
}
