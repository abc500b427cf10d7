/** One way to use kubectl, and what its answer must show. */
export interface Form {
  /** What follows `kubectl`. Double quotes join words. */
  readonly command: string;
  /** Name of the manifest that it reads from its standard input. */
  readonly input?: keyof typeof MANIFESTS;
  readonly answer: RegExp;
  /** 1 where that is the answer (`diff`), or where a simulated cluster refuses. Default 0. */
  readonly exitCode?: 1;
  /** Whether a simulated cluster refuses it. */
  readonly isRefused?: true;
}

export const MANIFESTS = {
  database: `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  serviceName: db
  replicas: 2
  podManagementPolicy: Parallel
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "postgres:17", volumeMounts: [{name: data, mountPath: /data}]}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}
`,
  cache: `
apiVersion: apps/v1
kind: Deployment
metadata: {name: cache, namespace: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: cache}}
  template:
    metadata: {labels: {app: cache}}
    spec: {containers: [{name: redis, image: "redis:8", resources: {requests: {cpu: 50m, memory: 64Mi}}}]}
`,
  settings: `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {color: green}
`,
  reader: `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: shop}
rules: [{apiGroups: [""], resources: [pods], verbs: [get, list]}]
`,
  request: `
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: ann}
spec: {request: Y3Ny, signerName: kubernetes.io/kube-apiserver-client, usages: [client auth]}
`,
  pool: `
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]
`,
} as const;

const works = (command: string, answer: RegExp, input?: Form['input']): Form => ({
  command,
  answer,
  ...(input === undefined ? {} : { input }),
});
const refused = (command: string, answer: RegExp): Form => ({ command, answer, exitCode: 1, isRefused: true });

const group = (title: string, forms: readonly Form[]): FormGroup => ({ title, forms });

/** Forms for one purpose. */
export interface FormGroup {
  readonly title: string;
  readonly forms: readonly Form[];
}

/**
 * What an operator does with a cluster, in an order in which each form finds what it needs. `NODE` stands for the name
 * of a node.
 */
export const FORM_GROUPS: readonly FormGroup[] = [
  group('The cluster', [
    works('version', /Server Version: .*1\.35/),
    works('cluster-info', /control plane.* is running at/),
    works('get --raw /readyz', /^ok$/),
    works('api-versions', /^apps\/v1$/m),
    works('api-resources', /^horizontalpodautoscalers +hpa +autoscaling\/v2 +true +HorizontalPodAutoscaler$/m),
    works('explain pod.spec.containers', /DESCRIPTION:\n +\S+/),
    works('explain deployment --recursive', /rollingUpdate/),
    works('explain nodepool.spec.disruption', /consolidateAfter/),
    works('get nodes', /NODE +Ready/),
    works('get nodes -o wide', /INTERNAL-IP/),
    works('get nodes -o custom-columns=NAME:.metadata.name,CPU:.status.allocatable.cpu', /^NAME +CPU$/m),
    works('get nodes -o jsonpath={.items[*].metadata.name}', /NODE/),
    works('get pods -A', /kube-system +coredns-/),
    works('get pods -n kube-system -l k8s-app=kube-dns -o name', /^pod\/coredns-/),
    works('get all -n kube-system', /^daemonset\.apps\/azure-cns /m),
    works('get namespace kube-system -o yaml', /^kind: Namespace$/m),
    works('describe node NODE', /^Allocated resources:$/m),
  ]),
  group('Workloads and what belongs to them', [
    works('create namespace shop', /namespace\/shop created/),
    works('create quota small -n shop --hard=pods=40,count/deployments.apps=5', /resourcequota\/small created/),
    works('create deployment web -n shop --image=nginx:1 --replicas=3', /deployment\.apps\/web created/),
    works('set resources deployment web -n shop --requests=cpu=100m,memory=64Mi', /resource requirements updated/),
    works('rollout status deployment/web -n shop --timeout=20s', /successfully rolled out/),
    works('describe quota small -n shop', /^pods +3 +40$/m),
    works('expose deployment web -n shop --port=80', /service\/web exposed/),
    works('get endpointslices -n shop', /^web-\S+ +IPv4 +80 +10\./m),
    works('create service clusterip api -n shop --tcp=80:8080', /service\/api created/),
    works('create service nodeport door -n shop --tcp=80', /service\/door created/),
    works('create service loadbalancer front -n shop --tcp=443', /service\/front created/),
    works('create service externalname away -n shop --external-name=example.com', /service\/away created/),
    works('describe service web -n shop', /^Endpoints: +10\./m),
    works('create ingress site -n shop --rule=example.com/*=web:80', /ingress\.networking\.k8s\.io\/site created/),
    works('get ingress -n shop', /^site +<none> +example\.com +80 /m),
    works('describe ingress site -n shop', /web:80 \(10\./),
    works('create configmap settings -n shop --from-literal=color=blue', /configmap\/settings created/),
    works('create secret generic login -n shop --from-literal=password=x', /secret\/login created/),
    works('create secret docker-registry pull -n shop --docker-username=a --docker-password=b', /secret\/pull created/),
    works('create serviceaccount robot -n shop', /serviceaccount\/robot created/),
    works('create token robot -n shop', /^token-/),
    works('create role viewer -n shop --verb=get,list --resource=pods', /role\S+\/viewer created/),
    works('create rolebinding robot -n shop --role=viewer --serviceaccount=shop:robot', /rolebinding\S+\/robot created/),
    works('create clusterrole nodes --verb=get --resource=nodes', /clusterrole\S+\/nodes created/),
    works('create clusterrolebinding robot --clusterrole=nodes --serviceaccount=shop:robot', /clusterrolebinding\S+\/robot created/),
    works('create poddisruptionbudget web -n shop --selector=app=web --min-available=1', /poddisruptionbudget\.policy\/web created/),
    works('create priorityclass high --value=1000', /priorityclass\S+\/high created/),
    works('run shell -n shop --image=busybox --restart=Never -- sleep 60', /pod\/shell created/),
    works('wait pod/shell -n shop --for=condition=Ready --timeout=20s', /condition met/),
    works('create job hello -n shop --image=busybox -- echo hello', /job\.batch\/hello created/),
    works('wait job/hello -n shop --for=condition=Complete --timeout=20s', /condition met/),
    works('create cronjob tick -n shop --image=busybox --schedule="* * * * *" -- date', /cronjob\.batch\/tick created/),
    works('create job now -n shop --from=cronjob/tick', /job\.batch\/now created/),
    works('get cronjob tick -n shop', /^tick +\* \* \* \* \* +<none> +False/m),
    works('apply -f -', /statefulset\.apps\/db created/, 'database'),
    works('rollout status statefulset/db -n shop --timeout=20s', /complete/),
    works('get pvc -n shop', /^data-db-1 +Bound +pvc-/m),
    works('get storageclass', /\(default\)/),
    works('get pv', /shop\/data-db-0/),
    works('autoscale deployment web -n shop --min=2 --max=5 --cpu-percent=80', /horizontalpodautoscaler\S+\/web autoscaled/),
    works('get hpa -n shop', /^web +Deployment\/web /m),
    works('describe hpa web -n shop', /^Max replicas: +5$/m),
  ]),
  group('Changes', [
    works('apply --server-side -f -', /deployment\.apps\/cache serverside-applied/, 'cache'),
    works('apply --dry-run=server -f -', /configmap\/settings configured \(server dry run\)/, 'settings'),
    { ...works('diff -f -', /^\+ +color: green$/m, 'settings'), exitCode: 1 },
    works('replace -f -', /configmap\/settings replaced/, 'settings'),
    works('apply -f -', /nodepool\.karpenter\.sh\/general created/, 'pool'),
    works('edit configmap settings -n shop', /configmap\/settings edited/),
    works('patch deployment web -n shop -p {"spec":{"minReadySeconds":0,"revisionHistoryLimit":5}}', /deployment\.apps\/web patched/),
    works('set image deployment/web -n shop nginx=nginx:2', /deployment\.apps\/web image updated/),
    works('set env deployment/web -n shop COLOR=blue', /deployment\.apps\/web env updated/),
    works('set serviceaccount deployment web robot -n shop', /deployment\.apps\/web serviceaccount updated/),
    works('set selector service api -n shop app=web', /service\/api selector updated/),
    works('set subject rolebinding robot -n shop --user=ann', /subjects updated/),
    works('label deployment web -n shop tier=front', /deployment\.apps\/web labeled/),
    works('annotate deployment web -n shop note=x', /deployment\.apps\/web annotate/),
    works('rollout history deployment/web -n shop', /^2 +<none>$/m),
    works('rollout undo deployment/web -n shop', /deployment\.apps\/web rolled back/),
    works('rollout restart deployment/web -n shop', /deployment\.apps\/web restarted/),
    works('rollout pause deployment/web -n shop', /deployment\.apps\/web paused/),
    works('rollout resume deployment/web -n shop', /deployment\.apps\/web resumed/),
    works('scale deployment web -n shop --replicas=2', /deployment\.apps\/web scaled/),
    works('rollout status deployment/web -n shop --timeout=20s', /successfully rolled out/),
  ]),
  group('Watching and debugging', [
    works('describe deployment web -n shop', /^NewReplicaSet: +web-/m),
    works('describe pod shell -n shop', /^Status: +Running$/m),
    works('describe pvc data-db-0 -n shop', /^Status: +Bound$/m),
    works('get events -n shop --sort-by=.lastTimestamp', /^\S+ +Normal +Scheduled /m),
    works('events -n shop --for=pod/shell', /Scheduled/),
    works('logs shell -n shop', /simulated/),
    works('logs deployment/web -n shop --all-containers --tail=1', /simulated/),
    works('top nodes', /^NODE +\d+m +\d+% +\d+Mi +\d+%/m),
    works('top pods -n shop', /^shell +\d+m +\d+Mi/m),
    works('debug shell -n shop --image=busybox --container=debugger --profile=general', /^$/),
    works('debug node/NODE --image=busybox --profile=general', /Creating debugging pod/),
    refused('exec shell -n shop -- ls', /simulated/),
    refused('attach shell -n shop', /simulated/),
    refused('cp shop/shell:/etc/hosts /tmp/hosts-of-shell', /simulated/),
    refused('port-forward -n shop shell 0:80', /simulated/),
  ]),
  group('Who may do what', [
    works('auth whoami', /Username/),
    works('auth can-i create pods', /^yes$/),
    works('auth can-i --list', /^\*\.\* /m),
    works('auth can-i list nodes --as=system:serviceaccount:shop:robot', /^(yes|no)$/m),
    works('auth reconcile -f -', /role\S+\/reader reconciled/, 'reader'),
    works('create -f -', /certificatesigningrequest\S+\/ann created/, 'request'),
    works('certificate approve ann', /certificatesigningrequest\S+\/ann approved/),
    works('get csr ann', /Approved/),
  ]),
  group('Nodes, and cleaning up', [
    works('cordon NODE', /node\/NODE cordoned/),
    works('uncordon NODE', /node\/NODE uncordoned/),
    works('taint nodes NODE team=blue:NoSchedule', /node\/NODE tainted/),
    works('taint nodes NODE team-', /node\/NODE untainted/),
    works('drain NODE --ignore-daemonsets --delete-emptydir-data --force --timeout=30s', /node\/NODE drained/),
    works('delete pod shell -n shop --ignore-not-found', /^$|deleted/),
    works('delete statefulset db -n shop --cascade=foreground', /statefulset\.apps "db" deleted/),
    works('wait pod/db-0 -n shop --for=delete --timeout=20s', /^$|condition met/),
    works('delete namespace shop', /namespace "shop" deleted/),
  ]),
];
