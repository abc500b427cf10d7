import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { isConditionTrue, nodeClaimConditions } from '@karpenter/core';
import { claimsOf, podsOf } from './testing/clusters/cluster-census.ts';
import { type ProvisionMode, provisionModes } from './testing/stories/provision-mode.ts';
import { settled } from './testing/stories/story-ends.ts';
import type { Story } from './testing/stories/story.ts';
import { aClusterOfTheOriginal } from './testing/takeover/left-by-original.ts';
import { originalWould } from './testing/takeover/originals-view.ts';

jest.setTimeout(300_000);

/** POSTs that only ask. */
const READS = /^(Authority_Token|Resources_Query)$/;
const MINUTE_MS = 60_000;
/**
 * How long nothing must happen. In the default mode longer than every controller's period; the others share its
 * controllers.
 */
const QUIET_MS: Readonly<Record<string, number>> = { aksscriptless: 6 * MINUTE_MS };

/** Calls that change something in Azure, from the request of this number on. */
const writesSince = ({ cluster: { arm } }: Story, first: number) =>
  arm.requests
    .all()
    .slice(first)
    .filter(({ method, operation }) => method !== 'GET' && !READS.test(operation));

const requestsOf = ({ cluster: { arm } }: Story): number => arm.requests.all().length;

const namesOf = ({ cluster }: Story) => ({
  claims: claimsOf(cluster).map(({ metadata }) => metadata.name),
  machines: cluster.arm.vms().map(({ providerId }) => providerId),
  pods: podsOf(cluster).map(({ metadata, spec }) => `${metadata.name} on ${spec.nodeName ?? ''}`),
});

const driftedIn = ({ cluster }: Story): readonly string[] =>
  claimsOf(cluster).flatMap(({ metadata, status }) =>
    isConditionTrue(status?.conditions, nodeClaimConditions.drifted) ? [metadata.name] : [],
  );

/** The machines that calls are about, each named once for calls that follow each other. */
const inOrder = (calls: ReturnType<typeof writesSince>): readonly string[] => {
  const names = calls.map(
    ({ path }) => /(?:virtualMachines|networkInterfaces|\/machines)\/([^/]+)(?:\/extensions\/.*)?$/.exec(path)?.[1] ?? path,
  );
  return names.filter((name, at) => name !== names[at - 1]);
};

/** Gives the class another tag, and waits until all machines have it. Returns the calls that this took. */
const changeTag = async (story: Story): Promise<ReturnType<typeof writesSince>> => {
  const first = requestsOf(story);
  story.cluster.local.patch('AKSNodeClass', { name: 'default' }, { type: 'merge', body: { spec: { tags: { team: 'api' } } } });
  await story.until('machines have the new tag', () => story.cluster.arm.vms().every(({ tags }) => tags['team'] === 'api'));
  return writesSince(story, first);
};

const ROLES = join(import.meta.dirname, '..', 'scripts', 'roles');

/** Actions on resource groups that the smallest role of the mode does not hold. */
const beyondRole = ({ cluster: { arm } }: Story, mode: ProvisionMode['name']): readonly string[] => {
  const file = mode.startsWith('aksmachineapi') ? 'karpenter-pool-machines.json' : 'karpenter-vms.json';
  const { Actions } = JSON.parse(readFileSync(join(ROLES, file), 'utf8')) as { readonly Actions: readonly string[] };
  // The service that writes user data is not part of Resource Manager.
  const calls = arm.requests
    .all()
    .filter(({ path, operation }) => path.includes('/resourceGroups/') && operation !== 'NodeBootstrapping_Get');
  return [...new Set(calls.map(({ action }) => action))].filter((action) => !Actions.includes(action));
};

describe.each(provisionModes)('a cluster that the original leaves with machines by $name', ({ name }) => {
  test('is taken over by the whole controller without a write to Azure, and the original would find it as it left it', async () => {
    await using story = await aClusterOfTheOriginal(name);
    const [left, first] = [namesOf(story), requestsOf(story)];
    expect(originalWould(story.cluster)).toEqual([]);

    await story.start();
    await story.pass(QUIET_MS[name] ?? MINUTE_MS);
    expect(writesSince(story, first).map(({ operation }) => operation)).toEqual([]);
    expect(namesOf(story)).toEqual(left);
    expect(driftedIn(story)).toEqual([]);
    expect(originalWould(story.cluster)).toEqual([]);

    // New tags are written one machine after another, and no node drifts.
    expect(inOrder(await changeTag(story))).toHaveLength(left.machines.length);
    expect(namesOf(story)).toEqual(left);
    expect(driftedIn(story)).toEqual([]);
    // Claims carry the hash of the new tags: the original would write none of them again.
    await story.pass(10_000);
    expect(originalWould(story.cluster)).toEqual([]);

    for (const deployment of ['inflate', 'inflate-long']) story.scale(deployment, 0);
    for (const claim of left.claims) story.cluster.local.delete('NodeClaim', { name: claim });
    await settled(story, 0, 0);
    expect(beyondRole(story, name)).toEqual([]);
  });
});
