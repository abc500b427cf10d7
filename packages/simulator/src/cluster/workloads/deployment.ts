import { kubeTime } from '@karpenter/runtime';
import type { ControlDeps, StartController } from '../control/control-deps.ts';
import { createEventWriter } from '../control/event-writer.ts';
import { objectKeyOf } from '../objects/object-key.ts';
import type { Deployment, ReplicaSet } from '../objects/workload.ts';
import { deployments, replicaSets } from '../objects/workload.ts';
import { deploymentStatus } from './deployment-status.ts';
import { controllerOf } from './owned-pod.ts';
import type { RolloutSet } from './rollout.ts';
import { rolloutStep } from './rollout.ts';
import { POD_TEMPLATE_HASH, templateHash } from './template-hash.ts';
import { startWorkloadLoop, writeStatus } from './workload-loop.ts';

const REVISION = 'deployment.kubernetes.io/revision';

const revisionOf = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[REVISION] ?? 0);

const newReplicaSet = (deployment: Deployment, revision: number): ReplicaSet => {
  const { template, selector } = deployment.spec;
  const hash = { [POD_TEMPLATE_HASH]: templateHash(template) };
  const labels = { ...template.metadata?.labels, ...hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name ?? ''}-${templateHash(template)}`,
      namespace: deployment.metadata.namespace,
      labels,
      annotations: { [REVISION]: String(revision) },
      ownerReferences: [controllerOf(deployment)],
    },
    spec: {
      replicas: 0,
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, ...hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
};

const rolloutSetOf = ({ metadata, spec, status }: ReplicaSet): RolloutSet => ({
  name: metadata.name ?? '',
  wanted: spec.replicas ?? 1,
  available: typeof status?.['availableReplicas'] === 'number' ? status['availableReplicas'] : 0,
});

/** The ReplicaSet of the current template, made or brought back (an undo) as the highest revision. */
const latestOf = ({ api }: ControlDeps, deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet => {
  const name = `${deployment.metadata.name ?? ''}-${templateHash(deployment.spec.template)}`;
  const highest = Math.max(0, ...sets.map(revisionOf));
  const found = sets.find(({ metadata }) => metadata.name === name);
  if (found === undefined) return api.create(newReplicaSet(deployment, highest + 1));
  if (revisionOf(found) === highest) return found;
  const annotations = { ...found.metadata.annotations, [REVISION]: String(highest + 1) };
  return api.update({ ...found, metadata: { ...found.metadata, annotations } });
};

const stampRevision = ({ api }: ControlDeps, deployment: Deployment, revision: number): Deployment => {
  if (deployment.metadata.annotations?.[REVISION] === String(revision)) return deployment;
  const annotations = { ...deployment.metadata.annotations, [REVISION]: String(revision) };
  return api.update({ ...deployment, metadata: { ...deployment.metadata, annotations } });
};

const forgetHistory = ({ api }: ControlDeps, old: readonly ReplicaSet[], keep: number): void => {
  const idle = old.filter(({ spec, status }) => spec.replicas === 0 && (status?.['replicas'] ?? 0) === 0);
  const surplus = idle.sort((a, b) => revisionOf(b) - revisionOf(a)).slice(keep);
  for (const set of surplus) api.delete(replicaSets, objectKeyOf(set));
};

/** Rolls ReplicaSets forward to the current template. */
export const startDeployments: StartController = (deps) => {
  const { api, clock } = deps;
  const record = createEventWriter(api, clock, 'deployment-controller');
  const setsOf = (deployment: Deployment): readonly ReplicaSet[] =>
    api
      .list(replicaSets, { namespace: deployment.metadata.namespace })
      .filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === deployment.metadata.uid));

  const reconcile = (deployment: Deployment): undefined => {
    const latest = latestOf(deps, deployment, setsOf(deployment));
    const stamped = stampRevision(deps, deployment, revisionOf(latest));
    const old = setsOf(deployment).filter(({ metadata }) => metadata.uid !== latest.metadata.uid);
    const steps = deployment.spec.paused === true ? [] : rolloutStep(deployment, rolloutSetOf(latest), old.map(rolloutSetOf));
    for (const [name, replicas] of steps) {
      const set = api.get(replicaSets, { name, namespace: deployment.metadata.namespace });
      if (set === undefined) continue;
      const way = replicas > (set.spec.replicas ?? 1) ? 'up' : 'down';
      record(deployment, {
        type: 'Normal',
        reason: 'ScalingReplicaSet',
        message: `Scaled ${way} replica set ${name} from ${set.spec.replicas ?? 1} to ${replicas}`,
      });
      api.update({ ...set, spec: { ...set.spec, replicas } });
    }
    const sets = setsOf(deployment);
    const isLatest = ({ metadata }: ReplicaSet): boolean => metadata.uid === latest.metadata.uid;
    const current = { latest: sets.find(isLatest) ?? latest, old: sets.filter((set) => !isLatest(set)), now: kubeTime(clock.now()) };
    writeStatus(api, stamped, deploymentStatus(stamped, current));
    forgetHistory(deps, current.old, deployment.spec.revisionHistoryLimit ?? 10);
    return undefined;
  };
  return startWorkloadLoop(deps, { kind: deployments, reconcile, owns: replicaSets });
};
