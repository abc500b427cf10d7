interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

const definitionOf = ({ group, version, kind, plural }: ServedKind): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.${group}, annotations: { api-approved.kubernetes.io: 'https://example.com' } }
spec:
  group: ${group}
  names: { kind: ${kind}, plural: ${plural} }
  scope: Namespaced
  versions:
    - name: ${version}
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, x-kubernetes-preserve-unknown-fields: true }
`;

const prometheus = { group: 'monitoring.coreos.com', version: 'v1' };

/** The kinds of the Prometheus operator by their names; what is in them is not checked. */
export const SERVICE_MONITOR_KINDS = [
  definitionOf({ ...prometheus, kind: 'ServiceMonitor', plural: 'servicemonitors' }),
  definitionOf({ ...prometheus, kind: 'PrometheusRule', plural: 'prometheusrules' }),
].join('---');

/** The PodGroup of kubernetes-sigs/scheduler-plugins by its name. */
export const POD_GROUP_KIND = definitionOf({ group: 'scheduling.x-k8s.io', version: 'v1alpha1', kind: 'PodGroup', plural: 'podgroups' });
