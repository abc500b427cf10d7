import { asRecord, jsonEqual, type JsonObject, numberAt, objectIn, objectsAt, textAt, valueAt } from '../../json/json.ts';
import { matchesLabels, selectorRequirements } from '../../selectors/label-selector.ts';
import { type FieldError, forbiddenField, invalidValue, requiredAt, unsupported } from '../../status/field-error.ts';
import { asJson } from '../../store/stored-object.ts';
import { labelErrors } from '../../validation/metadata.ts';
import { labelSelectorErrors } from '../../validation/selector-rules.ts';
import { nameProblems } from '../../validation/names.ts';
import type { Strategy } from '../strategy.ts';
import { fill, fillTemplate } from './pod-defaults.ts';
import { podSpecErrors } from './pod-validation.ts';
import { unchanged } from '../../validation/checks.ts';

const specOf = (object: JsonObject): JsonObject => objectIn(object, 'spec');

const templateErrors = (object: JsonObject, restart: readonly string[]): readonly FieldError[] => {
  const spec = specOf(object);
  const template = objectIn(spec, 'template');
  const policy = textAt(template, 'spec.restartPolicy');
  return [
    ...labelErrors(valueAt(template, 'metadata.labels'), 'spec.template.labels'),
    ...podSpecErrors(objectIn(template, 'spec'), 'spec.template.spec'),
    ...restartErrors(policy, restart),
  ];
};

const restartErrors = (policy: string, allowed: readonly string[]): readonly FieldError[] => {
  const field = 'spec.template.spec.restartPolicy';
  if (allowed.includes(policy)) return [];
  // The default of a pod is no answer of whoever wrote the template.
  if (policy === 'Always') return [requiredAt(field, `valid values: ${allowed.map((one) => JSON.stringify(one)).join(', ')}`)];
  return [unsupported(field, policy, allowed)];
};

const selectorErrors = (object: JsonObject): readonly FieldError[] => {
  const spec = specOf(object);
  const requirements = selectorRequirements(spec['selector']);
  const labels = valueAt(spec, 'template.metadata.labels');
  const mismatch = invalidValue('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`');
  if (requirements === undefined) return [mismatch];
  const kind = textAt(object, 'kind').toLowerCase();
  if (labelSelectorErrors(objectIn(spec, 'selector'), '').length > 0)
    return kind === 'daemonset' ? [] : [invalidValue('spec.selector', spec['selector'], 'invalid label selector')];
  if (requirements.length === 0) return [invalidValue('spec.selector', spec['selector'], `empty selector is invalid for ${kind}`)];
  return matchesLabels(requirements, asRecord(labels) as Record<string, string>) ? [] : [mismatch];
};

const countErrors = (object: JsonObject, ...fields: readonly string[]): readonly FieldError[] =>
  fields
    .filter((field) => numberAt(object, `spec.${field}`) < 0)
    .map((field) => invalidValue(`spec.${field}`, numberAt(object, `spec.${field}`), 'must be greater than or equal to 0'));

const REPLICATED: Strategy = {
  defaults: (object) => fillTemplate(specOf(object)),
  validate: (object) => [
    ...templateErrors(object, ['Always']),
    ...selectorErrors(object),
    ...countErrors(object, 'replicas', 'minReadySeconds'),
  ],
  validateUpdate: unchanged('spec.selector'),
};

/** A claim template becomes a volume of its name. */
const claimTemplateErrors = (object: JsonObject): readonly FieldError[] =>
  objectsAt(object, 'spec.volumeClaimTemplates').flatMap((claim, index) => {
    const name = textAt(claim, 'metadata.name');
    const at = `spec.template.spec.volumes[${index}]`;
    if (name === '') return [requiredAt(`${at}.persistentVolumeClaim.claimName`), requiredAt(`${at}.name`)];
    return nameProblems(name, 'label').map((words) => invalidValue(`${at}.name`, name, words));
  });

const CHANGEABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

const ONLY_SOME_CHANGE = `updates to statefulset spec for fields other than ${CHANGEABLE.slice(0, -1)
  .map((member) => `'${member}'`)
  .join(', ')} and '${CHANGEABLE.slice(-1).join('')}' are forbidden`;

const fixedPart = (set: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(asRecord(set['spec'])).filter(([member]) => !CHANGEABLE.includes(member)));

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

const setTemplateGeneration = (object: JsonObject, count: number): void => {
  objectIn(objectIn(object, 'metadata'), 'annotations')[TEMPLATE_GENERATION] = String(count);
};

/** Kinds that make pods. */
export const WORKLOAD_STRATEGIES: Readonly<Record<string, Strategy>> = {
  Deployment: {
    ...REPLICATED,
    defaults: (object) => {
      const spec = specOf(object);
      fillTemplate(spec);
      const strategy = objectIn(spec, 'strategy');
      fill(strategy, { type: 'RollingUpdate' });
      if (strategy['type'] === 'RollingUpdate') fill(objectIn(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
    },
  },
  ReplicaSet: REPLICATED,
  StatefulSet: {
    ...REPLICATED,
    validate: (object) => {
      const claims = new Set<unknown>(objectsAt(object, 'spec.volumeClaimTemplates').map((claim) => textAt(claim, 'metadata.name')));
      const isMounted = ({ reason, value }: FieldError): boolean => reason === 'FieldValueNotFound' && claims.has(value);
      return [...(REPLICATED.validate?.(object) ?? []).filter((error) => !isMounted(error)), ...claimTemplateErrors(object)];
    },
    validateUpdate: (next, previous) =>
      jsonEqual(fixedPart(next), fixedPart(asJson(previous))) ? [] : [forbiddenField('spec', ONLY_SOME_CHANGE)],
    defaults: (object) => {
      REPLICATED.defaults?.(object);
      for (const claim of objectsAt(object, 'spec.volumeClaimTemplates')) {
        fill(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Pending' } });
        objectIn(claim, 'spec');
      }
    },
    prepareCreate: (object) => {
      fill(objectIn(object, 'status'), { availableReplicas: 0 });
    },
  },
  /** DaemonSets: an annotation counts the changes of the template. */
  DaemonSet: {
    ...REPLICATED,
    prepareCreate: (object) => {
      setTemplateGeneration(object, 1);
    },
    prepareUpdate: (next, previous) => {
      const count = Number(previous.metadata.annotations?.[TEMPLATE_GENERATION] ?? 1);
      const isChanged = !jsonEqual(valueAt(next, 'spec.template'), valueAt(previous, 'spec.template'));
      setTemplateGeneration(next, isChanged ? count + 1 : count);
    },
  },
  /** ReplicationControllers: the selector is a plain map. */
  ReplicationController: {
    defaults: (object) => {
      const spec = specOf(object);
      fillTemplate(spec);
      fill(spec, { selector: asRecord(valueAt(spec, 'template.metadata.labels')) });
    },
    validate: (object) => [...templateErrors(object, ['Always']), ...countErrors(object, 'replicas')],
  },
  /** Jobs: the server gives the selector, from the uid. */
  Job: {
    defaults: (object) => {
      const spec = specOf(object);
      fillTemplate(spec);
      if (spec['completions'] === undefined && spec['parallelism'] === undefined) fill(spec, { completions: 1 });
      fill(spec, { parallelism: 1 });
    },
    prepareCreate: (object) => {
      const spec = specOf(object);
      if (spec['manualSelector'] === true) return;
      const uid = textAt(object, 'metadata.uid');
      const name = textAt(object, 'metadata.name');
      const labels = objectIn(objectIn(objectIn(spec, 'template'), 'metadata'), 'labels');
      fill(labels, {
        'batch.kubernetes.io/controller-uid': uid,
        'controller-uid': uid,
        'batch.kubernetes.io/job-name': name,
        'job-name': name,
      });
      fill(objectIn(object, 'metadata'), { labels });
      fill(spec, { manualSelector: false });
      spec['selector'] = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } };
    },
    validate: (object) => [
      ...templateErrors(object, ['OnFailure', 'Never']),
      ...countErrors(object, 'completions', 'parallelism', 'backoffLimit'),
    ],
    validateUpdate: unchanged('spec.selector'),
    prepareUpdate: (next, previous) => {
      const spec = specOf(next);
      const before = asRecord(asJson(previous)['spec']);
      spec['selector'] ??= before['selector'];
      const labels = asRecord(valueAt(before, 'template.metadata.labels'));
      fill(objectIn(objectIn(objectIn(spec, 'template'), 'metadata'), 'labels'), labels);
    },
  },
  CronJob: {
    defaults: (object) => {
      const spec = specOf(object);
      fillTemplate(objectIn(objectIn(spec, 'jobTemplate'), 'spec'));
    },
  },
};
