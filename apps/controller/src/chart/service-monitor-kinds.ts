const kindOf = (kind: string, plural: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.monitoring.coreos.com }
spec:
  group: monitoring.coreos.com
  names: { kind: ${kind}, plural: ${plural} }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, x-kubernetes-preserve-unknown-fields: true }
`;

/** The kinds of the Prometheus operator by their names; what is in them is not checked. */
export const SERVICE_MONITOR_KINDS = [kindOf('ServiceMonitor', 'servicemonitors'), kindOf('PrometheusRule', 'prometheusrules')].join('---');
