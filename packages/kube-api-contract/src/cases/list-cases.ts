import { beforeAll, expect, test } from '@jest/globals';
import type { SuiteStage } from '../stage.ts';
import { at, type Body } from '../kube-client.ts';

const names = (body: Body): readonly unknown[] => (body['items'] as readonly Body[]).map((item) => at(item, 'metadata.name'));

/** Selectors, paging, freshness, tables. */
export const createListCases = (stage: () => SuiteStage): void => {
  const secrets = (query = ''): string => `/api/v1/namespaces/${stage().namespace}/secrets${query}`;
  beforeAll(async () => {
    for (const [name, labels, type] of [
      ['a', { tier: 'one', big: 'yes' }, 'example.com/x'],
      ['b', { tier: 'two' }, 'Opaque'],
      ['c', { tier: 'three' }, 'Opaque'],
      ['d', {}, 'Opaque'],
    ] as const) {
      await stage().client.call(secrets(), {
        method: 'POST',
        body: { apiVersion: 'v1', kind: 'Secret', type, metadata: { name, labels } },
      });
    }
  });

  test.each([
    ['labelSelector=tier%3Done', ['a']],
    ['labelSelector=tier!%3Done', ['b', 'c', 'd']],
    ['labelSelector=tier%20in%20(one,two)', ['a', 'b']],
    ['labelSelector=tier%20notin%20(one,two)', ['c', 'd']],
    ['labelSelector=tier,!big', ['b', 'c']],
    ['labelSelector=!tier', ['d']],
    ['fieldSelector=metadata.name%3Dc', ['c']],
    ['fieldSelector=type!%3DOpaque', ['a']],
    ['fieldSelector=type%3DOpaque&labelSelector=tier', ['b', 'c']],
  ])('%s selects %j', async (query, wanted) => {
    const { body } = await stage().client.call(secrets(`?${query}`));
    expect(body['kind']).toBe('SecretList');
    expect(names(body)).toEqual(wanted);
  });

  test.each([['fieldSelector=spec.nonsense%3Dx'], ['labelSelector=a%3Db%3Dc'], ['labelSelector=%3D%3D']])(
    '%s answers 400 BadRequest',
    async (query) => {
      const { status, body } = await stage().client.call(secrets(`?${query}`));
      expect([status, body['reason']]).toEqual([400, 'BadRequest']);
    },
  );

  test('limit and continue walk one moment, in key order', async () => {
    const first = await stage().client.call(secrets('?limit=3'));
    expect(names(first.body)).toEqual(['a', 'b', 'c']);
    expect(at(first.body, 'metadata.remainingItemCount')).toBe(1);
    await stage().client.call(secrets(), { method: 'POST', body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'cc' } } });
    const second = await stage().client.call(
      secrets(`?limit=3&continue=${encodeURIComponent(String(at(first.body, 'metadata.continue')))}`),
    );
    expect(names(second.body)).toEqual(['d']);
    expect(at(second.body, 'metadata.continue') ?? '').toBe('');
    await stage().client.call(secrets('/cc'), { method: 'DELETE' });
  });

  test('a resourceVersion from the future answers 504 Timeout', async () => {
    const { status, body } = await stage().client.call(secrets('?resourceVersion=999999999&resourceVersionMatch=NotOlderThan&limit=1'));
    expect([status, body['reason']]).toEqual([504, 'Timeout']);
    expect(body['message']).toContain('Too large resource version');
  });

  test('a list as a Table has columns, cells and the metadata of each object', async () => {
    const { body } = await stage().client.call(secrets('?labelSelector=big'), { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    const columns = (body['columnDefinitions'] as readonly Body[]).map(({ name }) => name);
    expect(columns).toEqual(['Name', 'Type', 'Data', 'Age']);
    expect(at(body, 'rows.0.cells.0')).toBe('a');
    expect(at(body, 'rows.0.object')).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a' } });
  });

  test('a list as metadata leaves out the rest', async () => {
    const { body } = await stage().client.call(secrets('?labelSelector=big'), {
      accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    });
    expect(body['kind']).toBe('PartialObjectMetadataList');
    expect(at(body, 'items.0.type')).toBeUndefined();
  });

  test('a page can be read again, with another limit and other selectors, and shows the same moment', async () => {
    const first = await stage().client.call(secrets('?limit=1'));
    const rest = `?continue=${encodeURIComponent(String(at(first.body, 'metadata.continue')))}`;
    await stage().client.call(secrets(), { method: 'POST', body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aa' } } });
    const pages = [`${rest}&limit=1`, `${rest}&limit=9`, `${rest}&limit=9&labelSelector=!tier`];
    const shown = await Promise.all(pages.map(async (page) => names((await stage().client.call(secrets(page))).body)));
    expect(shown).toEqual([['b'], ['b', 'c', 'd'], ['d']]);
    await stage().client.call(secrets('/aa'), { method: 'DELETE' });
  });

  test('a collection is deleted by selector', async () => {
    await stage().client.call(secrets(), {
      method: 'POST',
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'e', labels: { gone: 'soon' } } },
    });
    await stage().client.call(secrets('?labelSelector=gone'), { method: 'DELETE' });
    expect(names((await stage().client.call(secrets('?labelSelector=gone'))).body)).toEqual([]);
  });

  test('discovery names groups, versions and resources', async () => {
    const { body } = await stage().client.call('/apis/apps/v1');
    const deployments = (body['resources'] as readonly Body[]).find(({ name }) => name === 'deployments');
    expect(deployments).toMatchObject({
      kind: 'Deployment',
      namespaced: true,
      singularName: 'deployment',
      shortNames: ['deploy'],
      categories: ['all'],
    });
  });
};
