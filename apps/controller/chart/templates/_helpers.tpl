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

{{- define "karpenter.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "karpenter.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
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

{{/* Everything that nobody but the user can know, asked for at once. */}}
{{- define "karpenter.required" -}}
{{- $missing := list -}}
{{- range list "azureNodeResourceGroup" "azureSubscriptionId" "clusterEndpoint" "clusterName" "location" "sshPublicKey" "vnetSubnetId" }}
{{- if not (index $.Values.azure .) }}{{ $missing = append $missing (printf "azure.%s" .) }}{{ end }}
{{- end }}
{{- with .Values.kubeletBootstrapToken }}
{{- if not (or .existingSecret .value) }}{{ $missing = append $missing "kubeletBootstrapToken.existingSecret (or kubeletBootstrapToken.value)" }}{{ end }}
{{- end }}
{{- if $missing }}
{{- fail (printf "values are missing: %s; scripts/configure-values reads them from an AKS cluster" (join ", " $missing)) }}
{{- end }}
{{- end -}}
