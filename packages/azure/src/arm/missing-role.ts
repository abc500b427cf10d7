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
  [/^Microsoft\.Compute\/(?:diskEncryptionSets|galleries|locations|skus)\/(?:.*\/)?read$/i, 'Reader'],
  [/^Microsoft\.Compute\//i, 'Virtual Machine Contributor'],
  [/^Microsoft\.ContainerService\/(?!.*\/read$)/i, 'Azure Kubernetes Service Contributor Role'],
  [/\/read$/i, 'Reader'],
];

const PATTERN = /perform action '([^']+)' (?:over scope '([^']+)'|on the linked scope\(s\) '([^']+)')/g;

/** The last one that is named: of a linked resource, the link is what is missing. */
const denialIn = (message: string): Denial | undefined => {
  const all = [...message.matchAll(PATTERN)];
  const [, action, over, linked] = all.at(-1) ?? [];
  const scope = over ?? linked;
  return action === undefined || scope === undefined ? undefined : { action, scope };
};

/** What a person has to do about a 403, in one line, the remedy first: long messages are cut. Undefined when the message does not say what is missing. */
export const missingRoleIn = (message: string): string | undefined => {
  const denial = denialIn(message);
  if (denial === undefined) return undefined;
  const { action, scope } = denial;
  const role = ROLES.find(([pattern]) => pattern.test(action))?.[1];
  const wanted = role === undefined ? `a role with the action ${action}` : `the role "${role}"`;
  return `give the identity of the controller ${wanted} on ${scope}: it may not do ${action} there`;
};
