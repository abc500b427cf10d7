/** An action of ARM that an identity may not do, and where. */
interface Denial {
  readonly action: string;
  readonly scope: string;
}

/** Built-in roles that hold an action; the first match counts. */
const ROLES: readonly (readonly [action: RegExp, role: string])[] = [
  [/^Microsoft\.Network\/virtualNetworks\//i, 'Network Contributor'],
  [/^Microsoft\.Network\//i, 'Network Contributor'],
  [/^Microsoft\.ManagedIdentity\/userAssignedIdentities\//i, 'Managed Identity Operator'],
  [/^Microsoft\.Compute\/capacityReservationGroups\/(?!.*read$)/i, 'Contributor'],
  [/^Microsoft\.Compute\/locations\/placementScores\//i, 'Compute Recommendations Role'],
  [/^Microsoft\.Compute\/(?:capacityReservationGroups|diskEncryptionSets|galleries|locations|skus)\/(?:.*\/)?read$/i, 'Reader'],
  [/^Microsoft\.Compute\//i, 'Virtual Machine Contributor'],
  [/^Microsoft\.ContainerService\/(?!.*\/read$)/i, 'Azure Kubernetes Service Contributor Role'],
  [/\/read$/i, 'Reader'],
];

/** The built-in role that holds an action; undefined: none is known. */
export const roleFor = (action: string): string | undefined => ROLES.find(([pattern]) => pattern.test(action))?.[1];

const PATTERN = /perform action(?:\(s\))? '([^']+)' (?:over scope '([^']+)'|on the linked scope\(s\) '([^']+)')/g;

const first = (list: string): string => list.split(',')[0]?.trim() ?? '';

/**
 * The last one that is named: of a linked resource, the link is what is missing. Of several actions, each on its own
 * scope, the first: ARM names the next once that is granted.
 */
const denialIn = (message: string): Denial | undefined => {
  const [, action, over, linked] = [...message.matchAll(PATTERN)].at(-1) ?? [];
  const scope = over ?? linked;
  if (action === undefined || scope === undefined) return undefined;
  return action.includes(',') ? { action: first(action), scope: first(scope) } : { action, scope };
};

/**
 * What a person has to do about a 403, in one line, the remedy first: long messages are cut. Undefined when the message
 * does not say what is missing.
 */
export const missingRoleIn = (message: string): string | undefined => {
  const denial = denialIn(message);
  if (denial === undefined) return undefined;
  const { action, scope } = denial;
  const role = roleFor(action);
  const wanted = role === undefined ? `a role with the action ${action}` : `the role "${role}"`;
  return `give the identity of the controller ${wanted} on ${scope}: it may not do ${action} there`;
};
