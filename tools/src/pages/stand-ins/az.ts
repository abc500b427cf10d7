import { healthy } from '../../../../apps/controller/src/chart/stub-cluster.ts';
import { assertUseful } from './assert-useful.ts';

const IN_A_GROUP = ['name', 'resource-group'];
const QUESTION = ['query', 'output'];

/** The commands of `az` that pages show, with what they take (the reference of the Azure CLI, azure-cli 2). */
const commands: Readonly<Record<string, readonly string[]>> = {
  'account show': QUESTION,
  'acr build': ['registry', 'image', 'file'],
  'aks get-credentials': IN_A_GROUP,
  'aks nodepool update': [...IN_A_GROUP, 'cluster-name', 'disable-cluster-autoscaler'],
  'aks show': [...IN_A_GROUP, ...QUESTION],
  'aks update': [...IN_A_GROUP, 'attach-acr', 'enable-oidc-issuer', 'enable-workload-identity', 'node-provisioning-mode'],
  'capacity reservation create': [...IN_A_GROUP, 'capacity-reservation-group', 'sku', 'capacity', 'zone'],
  'capacity reservation group create': [...IN_A_GROUP, 'zones'],
  'cloud show': QUESTION,
  'group show': ['name', ...QUESTION],
  'identity create': IN_A_GROUP,
  'identity federated-credential create': [...IN_A_GROUP, 'identity-name', 'issuer', 'subject', 'audience'],
  'identity federated-credential list': ['resource-group', 'identity-name', ...QUESTION],
  'identity show': [...IN_A_GROUP, ...QUESTION],
  'network vnet list': ['resource-group', ...QUESTION],
  'network vnet show': ['ids', ...QUESTION],
  'role definition create': ['role-definition'],
  'role assignment create': ['assignee-object-id', 'assignee-principal-type', 'role', 'scope'],
};

const answers: Readonly<Record<string, string>> = {
  ...healthy,
  // Where the API server of the test is, to which kubectl speaks.
  fqdn: '127.0.0.1',
  principalId: '12121212-3434-5656-7878-909090909090',
};

/**
 * `az …` is a command that there is, with arguments that it takes; a `--query` gets an answer of a cluster that is not
 * there.
 */
export const az = (words: readonly string[]): void => {
  const firstFlag = words.findIndex((word) => word.startsWith('-'));
  const command = words.slice(0, firstFlag).join(' ');
  const known = commands[command];
  assertUseful(known !== undefined, `az ${command} is not among the commands that are known here`);
  const strangers = words.filter((word) => word.startsWith('-') && !known.includes(word.slice(2)));
  assertUseful(strangers.length === 0, `az ${command} takes no ${strangers.join(', ')}`);
  assertUseful(!words.includes(''), `az ${command} has an argument that is empty`);
  const asked = words[words.indexOf('--query') + 1];
  if (!words.includes('--query') || asked === undefined) return;
  const answer = answers[asked];
  assertUseful(answer !== undefined, `az ${command} --query ${asked}: the cluster has no such thing`);
  process.stdout.write(`${answer}\n`);
};
