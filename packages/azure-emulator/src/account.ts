/** Everything an Azure account holds before the first node: ids that a client is configured with. */
export interface ArmAccount {
  readonly subscriptionId: string;
  readonly tenantId: string;
  /** The application that may ask for tokens, by `clientSecret` or by `federatedToken`. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** What a workload identity's token file holds; the authority exchanges it for an access token. */
  readonly federatedToken: string;
  readonly location: string;
  readonly clusterName: string;
  /** The cluster's agent pool of mode `Machines`. */
  readonly machinesPoolName: string;
  /** Holds the managed cluster resource. */
  readonly clusterResourceGroup: string;
  /** Holds the nodes: VMs, NICs, disks, load balancers, the network security group. */
  readonly nodeResourceGroup: string;
  readonly vnetId: string;
  readonly vnetGuid: string;
  readonly subnetId: string;
  readonly networkSecurityGroupId: string;
  /** The backend pools of the cluster's load balancer, in name order. */
  readonly backendPoolIds: readonly string[];
  readonly diskEncryptionSetId: string;
  readonly proximityPlacementGroupId: string;
  /** Where the shared image galleries of AKS are; of another tenant, as in Azure. */
  readonly imageSubscriptionId: string;
  readonly kubeletIdentityId: string;
  readonly kubeletIdentityClientId: string;
}
