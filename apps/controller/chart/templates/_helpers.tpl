{{- define "karpenter.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "karpenter.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "karpenter.name" . -}}
{{- if contains $name .Release.Name -}}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{- else -}}{{ printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}{{- end -}}
{{- end -}}
{{- end -}}

{{/* Names of what has no namespace: two releases of one name in two namespaces do not meet. */}}
{{- define "karpenter.clusterName" -}}
{{- printf "%s-%s" .Release.Namespace (include "karpenter.fullname" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "karpenter.selectorLabels" -}}
app.kubernetes.io/name: {{ include "karpenter.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "karpenter.ownLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "karpenter.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* The labels of every object of the chart. */}}
{{- define "karpenter.labels" -}}
{{- include "karpenter.merged" (dict "own" (include "karpenter.ownLabels" . | fromYaml) "users" .Values.additionalLabels) -}}
{{- end -}}

{{/* The annotations of an object as a field of its metadata: the object's own ones win over those of all objects. Nothing where there are none. */}}
{{- define "karpenter.annotations" -}}
{{- $all := mergeOverwrite (dict) (default dict .root.Values.additionalAnnotations) (default dict .own) -}}
{{- if $all }}
  annotations: {{- toYaml $all | nindent 4 }}
{{- end -}}
{{- end -}}

{{/* The chart's own labels or annotations and the user's as one: a key that is in both is written once, with the user's value. */}}
{{- define "karpenter.merged" -}}
{{- toYaml (mergeOverwrite (dict) .own (default dict .users)) -}}
{{- end -}}

{{- define "karpenter.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}{{ default (include "karpenter.fullname" .) .Values.serviceAccount.name }}{{- else -}}{{ default "default" .Values.serviceAccount.name }}{{- end -}}
{{- end -}}

{{- define "karpenter.subjects" -}}
- kind: ServiceAccount
  name: {{ include "karpenter.serviceAccountName" . }}
  namespace: {{ .Release.Namespace }}
{{- end -}}

{{- define "karpenter.image" -}}
{{- if .Values.image.digest -}}{{ printf "%s@%s" .Values.image.repository .Values.image.digest }}{{- else -}}{{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}{{- end -}}
{{- end -}}

{{- define "karpenter.tokenSecretName" -}}
{{- default (printf "%s-bootstrap-token" (include "karpenter.fullname" .)) .Values.kubeletBootstrapToken.existingSecret -}}
{{- end -}}

{{/* Whether a feature gate is on: "true" or nothing. */}}
{{- define "karpenter.gate" -}}
{{- if index .root.Values.settings.featureGates .gate }}true{{ end -}}
{{- end -}}

{{/* { nodeRepair: true } → NodeRepair=true; the order is that of the names. */}}
{{- define "karpenter.featureGates" -}}
{{- $gates := list -}}
{{- range $name, $isOn := . }}{{ $gates = append $gates (printf "%s=%v" (title $name) $isOn) }}{{ end -}}
{{- join "," $gates -}}
{{- end -}}

{{/* { clusterName: main } → CLUSTER_NAME. What is empty is left to the controller's own default, except where an empty text means something.
     An object (schedulerConfig) is passed on as JSON. */}}
{{- define "karpenter.environment" -}}
{{- $meaningful := list "networkPluginMode" "networkDataplane" -}}
{{- range $key, $value := . }}
{{- if or $value (eq (toString $value) "false") (eq (toString $value) "0") (has $key $meaningful) }}
- name: {{ $key | snakecase | upper }}
  value: {{ if kindIs "map" $value }}{{ toJson $value | quote }}{{ else }}{{ toString $value | quote }}{{ end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The environment that the chart sets, before extraEnv. */}}
{{- define "karpenter.ownEnvironment" -}}
- name: LEADER_ELECTION_NAMESPACE
  valueFrom:
    fieldRef:
      fieldPath: metadata.namespace
{{- if include "karpenter.hasToken" . }}
- name: KUBELET_BOOTSTRAP_TOKEN
  valueFrom:
    secretKeyRef:
      name: {{ include "karpenter.tokenSecretName" . }}
      key: {{ .Values.kubeletBootstrapToken.key }}
{{- end }}
- name: NODE_OPTIONS
  value: --max-old-space-size={{ .Values.heapMib }} --max-semi-space-size=4 --expose-gc
# glibc keeps what was freed, 15 MB of it after the start, unless it has one arena and gives back what is free at its end.
- name: MALLOC_ARENA_MAX
  value: "1"
- name: MALLOC_TRIM_THRESHOLD_
  value: "65536"
# Otherwise glibc takes 128 KiB more than it needs each time, and keeps as much at the end: 6 MiB more at rest (ADR 115).
- name: MALLOC_TOP_PAD_
  value: "0"
# V8's compilers take memory in pieces of 32 KiB. From the system, not from the arena, where freed ones stay between others.
- name: MALLOC_MMAP_THRESHOLD_
  value: "32768"
- name: FEATURE_GATES
  value: {{ include "karpenter.featureGates" .Values.settings.featureGates | quote }}
{{- include "karpenter.environment" (omit .Values.settings "featureGates") }}
{{- if include "karpenter.isAzure" . }}
{{- include "karpenter.environment" .Values.azure }}
{{- end }}
{{- end -}}

{{/* "true" where machines are made by the provider that the chart knows; nothing where another package makes them. */}}
{{- define "karpenter.isAzure" -}}
{{- if eq .Values.settings.cloudProvider "@karpenter/azure" }}true{{ end -}}
{{- end -}}

{{/* "true" where `localDNS.mode: Preferred` of a class reads the cluster: from Kubernetes 1.99 on, as in the original. */}}
{{- define "karpenter.looksForLocalDns" -}}
{{- if and (include "karpenter.isAzure" .) (semverCompare ">=1.99.0-0" .Capabilities.KubeVersion.Version) }}true{{ end -}}
{{- end -}}

{{/* "true" where nodes are kept alive by kwok; nothing elsewhere. */}}
{{- define "karpenter.isKwok" -}}
{{- if eq .Values.settings.cloudProvider "@karpenter/kwok" }}true{{ end -}}
{{- end -}}

{{/* Whether the chart knows of a token with which nodes join: "true" or nothing. */}}
{{- define "karpenter.hasToken" -}}
{{- if or .Values.kubeletBootstrapToken.existingSecret .Values.kubeletBootstrapToken.value }}true{{ end -}}
{{- end -}}

{{/* What only the user can know and has not said, as a JSON list under `all`. */}}
{{- define "karpenter.missing" -}}
{{- $missing := list -}}
{{- if include "karpenter.isAzure" . -}}
{{- $needed := list "azureNodeResourceGroup" "azureSubscriptionId" "clusterEndpoint" "clusterName" "location" "sshPublicKey" "vnetSubnetId" -}}
{{- with .Values.azure -}}
{{- $isMachineMode := hasPrefix "aksmachineapi" .provisionMode -}}
{{- if .useSig }}{{ $needed = append $needed "sigSubscriptionId" }}{{ end -}}
{{- if and .useSig (not $isMachineMode) }}{{ $needed = append $needed "sigAccessTokenServerUrl" }}{{ end -}}
{{- if ne .provisionMode "aksscriptless" }}{{ $needed = append $needed "armResourceGroup" }}{{ end -}}
{{- if eq .provisionMode "bootstrappingclient" }}{{ $needed = append $needed "nodebootstrappingServerUrl" }}{{ end -}}
{{- if $isMachineMode }}{{ $needed = concat $needed (list "aksMachinesPoolName" "useSig") }}{{ end -}}
{{- if .manageExistingAksMachines }}{{ $needed = concat $needed (list "armResourceGroup" "aksMachinesPoolName") }}{{ end -}}
{{- end -}}
{{- range uniq $needed }}{{ if not (index $.Values.azure .) }}{{ $missing = append $missing (printf "azure.%s" .) }}{{ end }}{{ end -}}
{{- if not (include "karpenter.hasToken" .) }}{{ $missing = append $missing "kubeletBootstrapToken.existingSecret (or kubeletBootstrapToken.value)" }}{{ end -}}
{{- else if not (or .Values.extraRules (include "karpenter.isKwok" .)) -}}
{{- $missing = append $missing "extraRules (what the ClusterRole must allow the provider: list, watch and patch of its NodeClass at least)" -}}
{{- end -}}
{{- toJson (dict "all" $missing) -}}
{{- end -}}

{{/* A quantity of memory (1Gi, 1500M, 1073741824) → MiB, rounded down; nothing where it is none. */}}
{{- define "karpenter.mebibytes" -}}
{{- $units := dict "" 1 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- $text := toString . -}}
{{- if regexMatch "^[0-9]+([.][0-9]+)?(e[+]?[0-9]+)?([kMGT]|[KMGT]i)?$" $text -}}
{{- $unit := regexFind "[kKMGT]i?$" $text -}}
{{- divf (mulf (float64 (trimSuffix $unit $text)) (index $units $unit)) 1048576 | floor | int -}}
{{- end -}}
{{- end -}}

{{/* A Go duration → nanoseconds. */}}
{{- define "karpenter.nanoseconds" -}}
{{- $start := toDate "2006-01-02" "2000-01-01" -}}
{{- ((dateModify . $start).Sub $start).Nanoseconds -}}
{{- end -}}

{{/* Whether one duration is longer than another: "true" or nothing. */}}
{{- define "karpenter.isLonger" -}}
{{- if gt (include "karpenter.nanoseconds" .one | int64) (include "karpenter.nanoseconds" .other | int64) }}true{{ end -}}
{{- end -}}

{{/* Values of Azure that cannot be meant together, as a JSON list under `all`. */}}
{{- define "karpenter.azureContradictions" -}}
{{- $found := list -}}
{{- with .Values.azure -}}
{{- $idle := default "1s" .providerBatchIdleDuration -}}
{{- $max := default "5s" .providerBatchMaxDuration -}}
{{- if and (eq .networkPlugin "none") .networkPluginMode }}{{ $found = append $found "azure.networkPlugin none has no azure.networkPluginMode: it must be ''" }}{{ end -}}
{{- if and .armCloud .azureEnvironmentFilepath }}{{ $found = append $found "azure.armCloud and azure.azureEnvironmentFilepath both name a cloud" }}{{ end -}}
{{- if hasPrefix "aksmachineapi" .provisionMode -}}
{{- if .capacityReservationGroups }}{{ $found = append $found (printf "azure.capacityReservationGroups with azure.provisionMode %s, whose machines are made out of none" .provisionMode) }}{{ end -}}
{{- end -}}
{{- if and (eq .provisionMode "aksmachineapiheaderbatch") (include "karpenter.isLonger" (dict "one" $idle "other" $max)) -}}
{{- $found = append $found (printf "azure.providerBatchIdleDuration %s is longer than azure.providerBatchMaxDuration %s" $idle $max) -}}
{{- end -}}
{{- end -}}
{{- toJson (dict "all" $found) -}}
{{- end -}}

{{/* Values that cannot be meant together, as a JSON list under `all`. */}}
{{- define "karpenter.contradictions" -}}
{{- $found := list -}}
{{- with .Values.settings -}}
{{- if and .disableLeaderElection (gt (int $.Values.replicas) 1) }}{{ $found = append $found "settings.disableLeaderElection with more than one replica: all of them would act" }}{{ end -}}
{{- if and .dashboardPort (has (int .dashboardPort) (list (int .metricsPort) (int .healthProbePort))) }}{{ $found = append $found (printf "settings.dashboardPort %v is also the port of metrics or probes" .dashboardPort) }}{{ end -}}
{{- if and .disableLeaderElection $.Values.strategy (ne (dig "type" "" $.Values.strategy) "Recreate") }}{{ $found = append $found "settings.disableLeaderElection with a strategy whose type is not Recreate: an old and a new one would act side by side" }}{{ end -}}
{{- if eq (int .metricsPort) (int .healthProbePort) }}{{ $found = append $found (printf "settings.metricsPort and settings.healthProbePort are both %v" .metricsPort) }}{{ end -}}
{{- $idle := default "1s" .batchIdleDuration -}}
{{- $max := default "10s" .batchMaxDuration -}}
{{- if include "karpenter.isLonger" (dict "one" $idle "other" $max) -}}
{{- $found = append $found (printf "settings.batchIdleDuration %s is longer than settings.batchMaxDuration %s" $idle $max) -}}
{{- end -}}
{{- end -}}
{{- with dig "limits" "memory" "" (default dict .Values.resources) -}}
{{- $limit := include "karpenter.mebibytes" . -}}
{{- if and $limit (gt (add $.Values.heapMib 128) (int $limit)) -}}
{{- $found = append $found (printf "heapMib %v does not fit resources.limits.memory %v, which must be 128 MiB more: the process would be killed before its heap is full" $.Values.heapMib .) -}}
{{- end -}}
{{- end -}}
{{- with .Values.resources -}}
{{- $request := include "karpenter.mebibytes" (dig "requests" "memory" "" .) -}}
{{- $limit := include "karpenter.mebibytes" (dig "limits" "memory" "" .) -}}
{{- if and $request $limit (gt (int $request) (int $limit)) -}}
{{- $found = append $found (printf "resources.requests.memory %v is more than resources.limits.memory %v" .requests.memory .limits.memory) -}}
{{- end -}}
{{- end -}}
{{- with .Values.podDisruptionBudget -}}
{{- if and .enabled (regexMatch "^0+%?$" (toString .maxUnavailable)) -}}
{{- $found = append $found (printf "podDisruptionBudget.maxUnavailable %v lets no node be drained on which a replica runs: 1 keeps the others; enabled: false is no budget" .maxUnavailable) -}}
{{- end -}}
{{- end -}}
{{- if and (dig "rollingUpdate" "" (default dict .Values.strategy)) (eq (dig "type" "" (default dict .Values.strategy)) "Recreate") -}}
{{- $found = append $found "strategy of type Recreate has no rollingUpdate" -}}
{{- end -}}
{{- range default list .Values.sidecarContainers -}}
{{- if eq .name "controller" }}{{ $found = append $found "sidecarContainers names controller, which is the chart's own container" }}{{ end -}}
{{- end -}}
{{- with .Values.admissionPolicies.validationActions -}}
{{- if and (has "Deny" .) (has "Warn" .) }}{{ $found = append $found "admissionPolicies.validationActions names Deny and Warn: what is denied is not let through with a warning" }}{{ end -}}
{{- end -}}
{{- if include "karpenter.isAzure" . }}{{ $found = concat $found (include "karpenter.azureContradictions" . | fromJson).all }}{{ end -}}
{{- if and .Values.kubeletBootstrapToken.existingSecret .Values.kubeletBootstrapToken.value }}{{ $found = append $found "kubeletBootstrapToken names an existingSecret and a value: which of the two is the token?" }}{{ end -}}
{{- $own := list -}}
{{- range include "karpenter.ownEnvironment" . | fromYamlArray }}{{ $own = append $own .name }}{{ end -}}
{{- $granting := dict "SCHEDULER_CONFIG" "settings.schedulerConfig" "SYSTEM_NAMESPACE" "azure.systemNamespace" -}}
{{- $named := list -}}
{{- range .Values.extraEnv -}}
{{- if has .name $named }}{{ $found = append $found (printf "extraEnv names %s twice" .name) -}}
{{- else if has .name $own }}{{ $found = append $found (printf "extraEnv names %s, which has a value of the chart" .name) -}}
{{- else if hasKey $granting .name }}{{ $found = append $found (printf "extraEnv names %s, for which only %s grants the role that it needs" .name (get $granting .name)) }}{{ end -}}
{{- $named = append $named .name -}}
{{- end -}}
{{- range list "app.kubernetes.io/name" "app.kubernetes.io/instance" -}}
{{- if hasKey (default dict $.Values.podLabels) . }}{{ $found = append $found (printf "podLabels names %s, by which the chart finds its pods" .) }}{{ end -}}
{{- if hasKey (default dict $.Values.additionalLabels) . }}{{ $found = append $found (printf "additionalLabels names %s, by which the chart finds its objects" .) }}{{ end -}}
{{- end -}}
{{- toJson (dict "all" $found) -}}
{{- end -}}

{{/* Ends the rendering with everything that is missing or contradictory, at once. */}}
{{- define "karpenter.required" -}}
{{- $said := list -}}
{{- with (include "karpenter.missing" . | fromJson).all -}}
{{- $hint := ternary "; scripts/configure-values reads them from an AKS cluster" "" (eq (include "karpenter.isAzure" $) "true") -}}
{{- $said = append $said (printf "values are missing: %s%s" (join ", " .) $hint) -}}
{{- end -}}
{{- with (include "karpenter.contradictions" . | fromJson).all -}}
{{- $said = append $said (printf "values contradict each other: %s" (join "; " .)) -}}
{{- end -}}
{{- if $said }}{{ fail (join ". " $said) }}{{ end -}}
{{- end -}}
