import type { TopologySpreadConstraint } from '@karpenter/core/internal';
import { defaultConstraints, type DefaultSpread, fieldsOf, unknownFields } from './default-constraints.ts';

/** The built-in default constraints of kube-scheduler. Source: Kubernetes, "Built-in default constraints". */
export const systemConstraints: readonly TopologySpreadConstraint[] = [
  { maxSkew: 3, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
  { maxSkew: 5, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' },
];

const GROUP = 'kubescheduler.config.k8s.io/';
const SCHEDULER = 'default-scheduler';
const ARGUMENTS = ['apiVersion', 'kind', 'defaultConstraints', 'defaultingType'];

const system: DefaultSpread = { constraints: systemConstraints, problems: [] };
const refused = (...problems: readonly string[]): DefaultSpread => ({ constraints: [], problems });

const spreadOfArguments = (path: string, value: unknown): DefaultSpread => {
  const fields = fieldsOf(value);
  if (fields === undefined) return refused(`${path} must be an object with defaultConstraints and defaultingType`);
  const { defaultConstraints: given = [], defaultingType: type = 'System' } = fields;
  const strangers = unknownFields(path, fields, ARGUMENTS);
  if (type === 'List') {
    const { constraints, problems } = defaultConstraints(`${path}.defaultConstraints`, given);
    return { constraints, problems: [...strangers, ...problems] };
  }
  if (type !== 'System') return refused(...strangers, `${path}.defaultingType is ${JSON.stringify(type)}: must be one of System, List`);
  const isEmpty = Array.isArray(given) && given.length === 0;
  const problems = isEmpty ? strangers : [...strangers, `${path}.defaultConstraints goes only with defaultingType List`];
  return problems.length > 0 ? refused(...problems) : system;
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The profile of the scheduler that pods get unless they name another; one that stands alone counts whatever its name. */
const profileIndex = (profiles: readonly unknown[]): number => {
  const own = profiles.findIndex((profile) => (fieldsOf(profile)?.['schedulerName'] ?? SCHEDULER) === SCHEDULER);
  return own < 0 && profiles.length === 1 ? 0 : own;
};

/**
 * The default spread of kube-scheduler's own configuration: its built-in one where nothing is said about the plugin. Of
 * the rest of the file nothing is read.
 */
export const spreadOfScheduler = (config: Readonly<Record<string, unknown>>): DefaultSpread => {
  const { apiVersion } = config;
  if (typeof apiVersion !== 'string' || !apiVersion.startsWith(GROUP)) {
    return refused(`apiVersion is ${JSON.stringify(apiVersion)}: must be ${GROUP}v1`);
  }
  const profiles = listOf(config['profiles']);
  const index = profileIndex(profiles);
  if (index < 0) return profiles.length === 0 ? system : refused(`profiles must have one with schedulerName ${SCHEDULER}`);
  const plugins = listOf(fieldsOf(profiles[index])?.['pluginConfig']);
  const plugin = plugins.findIndex((each) => fieldsOf(each)?.['name'] === 'PodTopologySpread');
  if (plugin < 0) return system;
  return spreadOfArguments(`profiles[${index}].pluginConfig[${plugin}].args`, fieldsOf(plugins[plugin])?.['args'] ?? {});
};
