import type { Strategy } from '../strategy.ts';
import {
  ACCESS_STRATEGY,
  CONFIG_MAP_STRATEGY,
  DATA_STRATEGY,
  NAMESPACE_STRATEGY,
  NODE_STRATEGY,
  POD_TEMPLATE_STRATEGY,
  ROLE_BINDING_STRATEGY,
  SECRET_STRATEGY,
  SERVICE_STRATEGY,
} from './core-strategies.ts';
import {
  CLAIM_STRATEGY,
  CSI_DRIVER_STRATEGY,
  CSI_NODE_STRATEGY,
  EVENT_STRATEGY,
  LEASE_STRATEGY,
  NETWORK_POLICY_STRATEGY,
  PRIORITY_CLASS_STRATEGY,
  STORAGE_CLASS_STRATEGY,
  VOLUME_ATTACHMENT_STRATEGY,
  VOLUME_STRATEGY,
} from './platform-strategies.ts';
import { POD_STRATEGY } from './pod-strategy.ts';
import { DISRUPTION_BUDGET_STRATEGY } from './policy-strategies.ts';
import { AUTOSCALER_STRATEGY, ENDPOINT_SLICE_STRATEGY, INGRESS_STRATEGY, SIGNING_REQUEST_STRATEGY } from './serving-strategies.ts';
import {
  CRON_JOB_STRATEGY,
  DAEMON_SET_STRATEGY,
  DEPLOYMENT_STRATEGY,
  JOB_STRATEGY,
  REPLICA_SET_STRATEGY,
  REPLICATION_CONTROLLER_STRATEGY,
  STATEFUL_SET_STRATEGY,
} from './workload-strategies.ts';
import { DEVICE_CLAIM_STRATEGY, DEVICE_CLAIM_TEMPLATE_STRATEGY } from './device-strategies.ts';
import { CRD_STRATEGY } from '../../crd/crd-strategy.ts';
import { POLICY_BINDING_STRATEGY, POLICY_STRATEGY } from '../../policies/policy-strategy.ts';

/** What is particular to each built-in kind. */
export { debuggablePods } from './ephemeral-containers.ts';
export { resizablePods } from './pod-resize.ts';
export const STRATEGIES: Readonly<Record<string, Strategy>> = {
  Pod: POD_STRATEGY,
  Node: NODE_STRATEGY,
  Namespace: NAMESPACE_STRATEGY,
  Service: SERVICE_STRATEGY,
  Secret: SECRET_STRATEGY,
  ConfigMap: CONFIG_MAP_STRATEGY,
  ServiceAccount: DATA_STRATEGY,
  Endpoints: DATA_STRATEGY,
  LimitRange: DATA_STRATEGY,
  ResourceQuota: DATA_STRATEGY,
  CSINode: CSI_NODE_STRATEGY,
  ControllerRevision: DATA_STRATEGY,
  Event: EVENT_STRATEGY,
  PodTemplate: POD_TEMPLATE_STRATEGY,
  PersistentVolume: VOLUME_STRATEGY,
  PersistentVolumeClaim: CLAIM_STRATEGY,
  Deployment: DEPLOYMENT_STRATEGY,
  ReplicaSet: REPLICA_SET_STRATEGY,
  StatefulSet: STATEFUL_SET_STRATEGY,
  DaemonSet: DAEMON_SET_STRATEGY,
  ReplicationController: REPLICATION_CONTROLLER_STRATEGY,
  Job: JOB_STRATEGY,
  CronJob: CRON_JOB_STRATEGY,
  PodDisruptionBudget: DISRUPTION_BUDGET_STRATEGY,
  StorageClass: STORAGE_CLASS_STRATEGY,
  CSIDriver: CSI_DRIVER_STRATEGY,
  VolumeAttachment: VOLUME_ATTACHMENT_STRATEGY,
  ResourceClaim: DEVICE_CLAIM_STRATEGY,
  ResourceClaimTemplate: DEVICE_CLAIM_TEMPLATE_STRATEGY,
  PriorityClass: PRIORITY_CLASS_STRATEGY,
  Lease: LEASE_STRATEGY,
  NetworkPolicy: NETWORK_POLICY_STRATEGY,
  Ingress: INGRESS_STRATEGY,
  EndpointSlice: ENDPOINT_SLICE_STRATEGY,
  HorizontalPodAutoscaler: AUTOSCALER_STRATEGY,
  CertificateSigningRequest: SIGNING_REQUEST_STRATEGY,
  Role: ACCESS_STRATEGY,
  ClusterRole: ACCESS_STRATEGY,
  RoleBinding: ROLE_BINDING_STRATEGY,
  ClusterRoleBinding: ROLE_BINDING_STRATEGY,
  ValidatingAdmissionPolicy: POLICY_STRATEGY,
  ValidatingAdmissionPolicyBinding: POLICY_BINDING_STRATEGY,
  CustomResourceDefinition: CRD_STRATEGY,
};
