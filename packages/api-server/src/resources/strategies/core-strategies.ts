import { isIP } from 'node:net';
import {
  asRecord,
  conditionIs,
  jsonEqual,
  jsonList,
  type JsonObject,
  objectIn,
  objectsAt,
  plainText,
  textAt,
  valueAt,
} from '../../json/json.ts';
import { type FieldError, forbiddenField, invalidValue } from '../../status/field-error.ts';
import { asJson, type StoredObject } from '../../store/stored-object.ts';
import { isOneOf, present, repeatFinder, unchanged } from '../../validation/checks.ts';
import { nameProblems, qualifiedKeyProblems } from '../../validation/names.ts';
import { TAINT_EFFECTS } from '../../validation/toleration-rules.ts';
import type { Strategy } from '../strategy.ts';
import { fill, fillTemplate, keepMissing } from './pod-defaults.ts';

const taintErrors = (node: JsonObject): readonly FieldError[] => {
  const isRepeated = repeatFinder();
  return objectsAt(node, 'spec.taints').flatMap((taint, index) => {
    const [key = '', value = '', effect = ''] = ['key', 'value', 'effect'].map((member) => textAt(taint, member));
    const at = `metadata.taints[${index}]`;
    return [
      ...qualifiedKeyProblems(key).map((words) => invalidValue(`${at}.key`, key, words)),
      ...nameProblems(value, 'labelValue').map((words) => invalidValue(`${at}.value`, value, words)),
      ...(effect === '' ? present() : isOneOf(...TAINT_EFFECTS))(taint, 'effect', `${at}.effect`),
      ...(isRepeated(`${key}:${effect}`) ? [repeatedTaint(taint, at)] : []),
    ];
  });
};

const repeatedTaint = (taint: JsonObject, field: string): FieldError => {
  const [Key, Value, Effect] = ['key', 'value', 'effect'].map((member) => textAt(taint, member));
  const value = { Key, Value, Effect, TimeAdded: taint['timeAdded'] ?? null };
  return { reason: 'FieldValueDuplicate', field, value, detail: 'taints must be unique by key and effect pair' };
};

const cidrErrors = (node: JsonObject): readonly FieldError[] =>
  [...new Set([textAt(node, 'spec.podCIDR'), ...jsonList(valueAt(node, 'spec.podCIDRs')).map(plainText)])]
    .filter((cidr) => cidr !== '')
    .flatMap((cidr, index) =>
      isCidr(cidr)
        ? []
        : [invalidValue(`spec.podCIDRs[${index}]`, cidr, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')],
    );

const isCidr = (text: string): boolean => {
  const [address = '', bits = '', ...rest] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)];
  return rest.length === 0 && most !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
};

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/**
 * The admission plugin TaintNodesByCondition: a new node takes no pods until it is found ready.
 * `Differs:` a node that comes with the condition Ready is found so at once.
 */
const addNotReadyTaint = (node: JsonObject): void => {
  if (conditionIs(node, 'Ready')) return;
  const taints = objectsAt(node, 'spec.taints');
  if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)) return;
  objectIn(node, 'spec')['taints'] = [...taints, { ...NOT_READY }];
};

const immutableData = (next: JsonObject, previous: StoredObject): readonly FieldError[] => {
  if (asJson(previous)['immutable'] !== true) return [];
  const changed = ['data', 'binaryData'].filter((member) => !jsonEqual(next[member], asJson(previous)[member]));
  const lifted = next['immutable'] === true ? [] : ['immutable'];
  return [...lifted, ...changed].map((field) => forbiddenField(field, 'field is immutable when `immutable` is set'));
};

/** Bindings of roles: the role stays. */
const ROLE_BINDING_STRATEGY: Strategy = {
  validateUpdate: (next, previous) => {
    if (jsonEqual(next['roleRef'], asJson(previous)['roleRef'])) return [];
    const [APIGroup, Kind, Name] = ['apiGroup', 'kind', 'name'].map((member) => textAt(next, `roleRef.${member}`));
    return [invalidValue('roleRef', { APIGroup, Kind, Name }, 'cannot change roleRef')];
  },
};

/** Kinds of the core group, and roles. */
export const CORE_STRATEGIES: Readonly<Record<string, Strategy>> = {
  /** Nodes: a kubelet registers with its status, so a create keeps it. */
  Node: {
    admitCreate: addNotReadyTaint,
    validate: (node) => [...taintErrors(node), ...cidrErrors(node)],
    validateUpdate: (next, previous) => {
      const isKept = (member: string): boolean => ['', textAt(next, member)].includes(textAt(previous, member));
      const only = (name: string): string => `node updates may not change ${name} except from "" to valid`;
      return [
        ...(isKept('spec.podCIDR') ? [] : [forbiddenField('spec.podCIDRs', only('podCIDR'))]),
        ...(isKept('spec.providerID') ? [] : [forbiddenField('spec.providerID', only('providerID'))]),
      ];
    },
  },
  /** Namespaces: the `kubernetes` finalizer holds one until it is empty. */
  Namespace: {
    defaults: (namespace) => {
      const name = textAt(namespace, 'metadata.name');
      if (name !== '') fill(objectIn(objectIn(namespace, 'metadata'), 'labels'), { 'kubernetes.io/metadata.name': name });
    },
    prepareCreate: (namespace) => {
      namespace['spec'] = { finalizers: ['kubernetes'] };
      namespace['status'] = { phase: 'Active' };
    },
    prepareUpdate: (next, previous) => {
      next['spec'] = asRecord(asJson(previous)['spec']);
    },
  },
  /** Services: the address is allocated once. */
  Service: {
    defaults: (service) => {
      for (const port of objectsAt(service, 'spec.ports')) if (port['port'] !== undefined) fill(port, { targetPort: port['port'] });
    },
    admitCreate: (service, context) => {
      const spec = objectIn(service, 'spec');
      if (spec['type'] === 'ExternalName') return;
      fill(spec, {
        clusterIP: context.nextServiceIp(),
        internalTrafficPolicy: 'Cluster',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
      });
      spec['clusterIPs'] = [textAt(spec, 'clusterIP')];
    },
    prepareUpdate: (next, previous) => {
      keepMissing(next, previous, ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy']);
    },
    validateUpdate: unchanged('spec.clusterIP'),
  },
  /** Secrets: `stringData` is written only. */
  Secret: {
    defaults: (secret) => {
      const plain = asRecord(secret['stringData']);
      for (const [key, value] of Object.entries(plain)) objectIn(secret, 'data')[key] = Buffer.from(plainText(value)).toString('base64');
      delete secret['stringData'];
    },
    validateUpdate: (next, previous) => [...unchanged('type')(next, previous), ...immutableData(next, previous)],
  },
  ConfigMap: { validateUpdate: immutableData },
  PodTemplate: {
    defaults: fillTemplate,
  },
  RoleBinding: ROLE_BINDING_STRATEGY,
  ClusterRoleBinding: ROLE_BINDING_STRATEGY,
};
