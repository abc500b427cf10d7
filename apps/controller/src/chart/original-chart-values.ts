/** Every value that the chart of the Azure provider's original has in 1.10, by its path. */
export const originalChartValues: readonly string[] = [
  'nameOverride fullnameOverride additionalLabels additionalAnnotations imagePullPolicy imagePullSecrets additionalClusterRoleRules replicas',
  'service.annotations serviceAccount.create serviceAccount.name serviceAccount.annotations',
  'serviceMonitor.enabled serviceMonitor.additionalLabels serviceMonitor.relabelings serviceMonitor.metricRelabelings',
  'serviceMonitor.endpointConfig serviceMonitor.sampleLimit',
  'revisionHistoryLimit strategy podLabels podAnnotations podDisruptionBudget.name podDisruptionBudget.maxUnavailable podSecurityContext',
  'priorityClassName terminationGracePeriodSeconds hostNetwork schedulerName dnsPolicy dnsConfig nodeSelector affinity',
  'topologySpreadConstraints tolerations extraVolumes initContainers',
  'controller.containerName controller.image.repository controller.image.tag controller.image.digest controller.env controller.envFrom',
  'controller.securityContext.appArmorProfile controller.securityContext.seLinuxOptions controller.securityContext.seccompProfile',
  'controller.resources controller.extraVolumeMounts controller.sidecarContainer controller.sidecarVolumeMounts',
  'controller.metrics.port controller.healthProbe.port webhook.enabled webhook.port webhook.metrics.port',
  'logLevel logOutputPaths logErrorOutputPaths settings.batchMaxDuration settings.batchIdleDuration settings.clusterCABundle',
  'settings.clusterName settings.clusterEndpoint settings.vmMemoryOverheadPercent settings.tags settings.preferencePolicy',
  'settings.minValuesPolicy settings.ignoreDRARequests settings.disableClusterStateObservability',
  'settings.featureGates.reservedCapacity settings.featureGates.spotToSpotConsolidation settings.featureGates.nodeRepair',
  'settings.featureGates.nodeOverlay settings.featureGates.staticCapacity',
].flatMap((line) => line.split(' '));
