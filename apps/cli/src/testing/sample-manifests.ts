/** A Deployment of twelve pods and a Job. */
export const samplePods = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 12
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: web, resources: { requests: { cpu: 1500m, memory: 3Gi } } }] }
---
apiVersion: batch/v1
kind: Job
metadata: { name: report }
spec:
  template:
    spec: { containers: [{ name: main, image: report, resources: { requests: { cpu: '20' } } }] }
`;

/** The pool `general` of the sample cluster, changed to arm64 machines and with a label. */
export const samplePool = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: general }
spec:
  template:
    metadata: { labels: { team: web } }
    spec:
      requirements:
        - { key: kubernetes.io/arch, operator: In, values: [arm64] }
        - { key: kubernetes.io/os, operator: In, values: [linux] }
        - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
      nodeClassRef: { group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default }
      expireAfter: Never
  limits: { cpu: '100' }
`;

/** The pool as it was written for v1beta1. */
export const formerPool = `apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: { name: general }
spec:
  template:
    spec:
      nodeClassRef: { name: default }
      requirements:
        - { key: kubernetes.io/arch, operator: In, values: [amd64] }
  disruption: { consolidationPolicy: WhenUnderutilized, expireAfter: 720h }
`;
