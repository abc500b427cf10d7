import { expect, test } from '@jest/globals';
import type { SuiteStage } from '../stage.ts';
import { at, type WatchLine } from '../kube-client.ts';

const story = (lines: readonly WatchLine[]): readonly string[] =>
  lines.map(({ type, object }) => `${type} ${JSON.stringify(at(object, 'metadata.name')).replaceAll('"', '')}`);

/** Watches: where they start, what they show, how they end. */
export const createWatchCases = (stage: () => SuiteStage): void => {
  const path = (query = ''): string => `/api/v1/namespaces/${stage().namespace}/podtemplates${query}`;
  const template = { spec: { containers: [{ name: 'c', image: 'i' }] } };
  const create = (name: string, labels: object = {}) =>
    stage().client.call(path(), { method: 'POST', body: { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name, labels }, template } });
  const label = (name: string, labels: object) =>
    stage().client.call(path(`/${name}`), { method: 'PATCH', contentType: 'application/merge-patch+json', body: { metadata: { labels } } });
  const remove = (name: string) => stage().client.call(path(`/${name}`), { method: 'DELETE' });
  const versionNow = async (): Promise<string> => String(at((await stage().client.call(path())).body, 'metadata.resourceVersion'));

  test('a watch from a version shows every change after it, in order', async () => {
    const version = await versionNow();
    await create('w1');
    await label('w1', { a: 'b' });
    using watch = stage().client.watch(path(`?watch=true&resourceVersion=${version}`));
    await watch.lines(2);
    await remove('w1');
    expect(story(await watch.lines(3))).toEqual(['ADDED w1', 'MODIFIED w1', 'DELETED w1']);
  });

  test('a watch without a version begins with what is there', async () => {
    await create('w2');
    using watch = stage().client.watch(path('?watch=true&fieldSelector=metadata.name%3Dw2'));
    expect(story(await watch.lines(1))).toEqual(['ADDED w2']);
    await remove('w2');
    expect(story(await watch.lines(2))).toEqual(['ADDED w2', 'DELETED w2']);
  });

  test('an object that enters a selection is added, one that leaves is deleted', async () => {
    const version = await versionNow();
    using watch = stage().client.watch(path(`?watch=true&resourceVersion=${version}&labelSelector=in%3Dyes`));
    await create('w3');
    await label('w3', { in: 'yes' });
    await label('w3', { in: 'yes', more: 'x' });
    await label('w3', { in: 'no' });
    const lines = await watch.lines(3);
    expect(story(lines)).toEqual(['ADDED w3', 'MODIFIED w3', 'DELETED w3']);
    // The state that was selected last, under the version of the change that took it out.
    expect(at(lines[2]?.object, 'metadata.labels')).toEqual({ in: 'yes', more: 'x' });
    const { body } = await stage().client.call(path('/w3'));
    expect(at(lines[2]?.object, 'metadata.resourceVersion')).toBe(at(body, 'metadata.resourceVersion'));
    await remove('w3');
  });

  test('the removal of the last finalizer is sent as a deletion, not as a change before it', async () => {
    await create('w6');
    const body = { metadata: { finalizers: ['example.com/hold'] } };
    const patch = { method: 'PATCH', contentType: 'application/merge-patch+json' };
    await stage().client.call(path('/w6'), { ...patch, body });
    const version = await versionNow();
    using watch = stage().client.watch(path(`?watch=true&resourceVersion=${version}&fieldSelector=metadata.name%3Dw6`));
    await remove('w6');
    await stage().client.call(path('/w6'), { ...patch, body: { metadata: { finalizers: null } } });
    expect(story(await watch.lines(2))).toEqual(['MODIFIED w6', 'DELETED w6']);
  });

  test('sendInitialEvents ends the initial events with an annotated bookmark', async () => {
    await create('w4');
    const query =
      '?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&fieldSelector=metadata.name%3Dw4';
    using watch = stage().client.watch(path(query));
    const lines = await watch.lines(2);
    expect(lines.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK']);
    expect(at(lines[1]?.object, 'metadata.annotations')).toEqual({ 'k8s.io/initial-events-end': 'true' });
    await remove('w4');
  });

  test('a deletion carries a newer version than the last change', async () => {
    const { body } = await create('w5');
    using watch = stage().client.watch(path(`?watch=true&resourceVersion=${String(at(body, 'metadata.resourceVersion'))}`));
    await remove('w5');
    const [line] = await watch.lines(1);
    expect(Number(at(line?.object, 'metadata.resourceVersion'))).toBeGreaterThan(Number(at(body, 'metadata.resourceVersion')));
  });

  test('an object that leaves a selection and comes back is deleted and added', async () => {
    const { body } = await create('w6');
    const since = String(at(body, 'metadata.resourceVersion'));
    const label = (side: string): Promise<unknown> =>
      stage().client.call(path('/w6'), {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        body: { metadata: { labels: { side } } },
      });
    for (const side of ['in', 'out', 'in']) await label(side);
    using watch = stage().client.watch(path(`?watch=true&resourceVersion=${since}&labelSelector=side%3Din`));
    const lines = await watch.lines(3);
    expect(lines.map(({ type, object }) => [type, at(object, 'metadata.labels.side')])).toEqual([
      ['ADDED', 'in'],
      ['DELETED', 'in'],
      ['ADDED', 'in'],
    ]);
    await remove('w6');
  });

  test('a watch of one name is a read of it', async () => {
    await create('w7');
    const { body } = await stage().client.call(path('/w7?watch=true'));
    expect([body['type'], at(body, 'metadata.name')]).toEqual([undefined, 'w7']);
    await remove('w7');
  });

  test('timeoutSeconds ends a watch', async () => {
    using watch = stage().client.watch(path(`?watch=true&timeoutSeconds=1&resourceVersion=${await versionNow()}`));
    await expect(watch.lines(1)).rejects.toThrow('the watch ended after 0 lines');
  });
};
