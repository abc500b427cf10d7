import { expect, jest, test } from '@jest/globals';
import { snapshotOf } from '../../cluster/index.ts';
import { compileSelector } from '../devices/cel/device-selector.ts';
import type { SelectedDevice } from '../devices/cel/device-selector.ts';
import { podDevicesReader } from '../devices/pod-devices.ts';

const deviceClass = { metadata: { name: 'gpu' }, spec: {} };
const gpu: SelectedDevice = {
  ...{ driver: 'gpu.example.com', attributes: new Map(), capacity: new Map() },
  ...{ allowsMultiple: false, likeness: 'gpu' },
};

test('a list of 2,000 numbers is read with two patterns for each number and none for a comma, and is not read again for the next device', () => {
  const exec = jest.spyOn(RegExp.prototype, 'exec');
  const { selects } = compileSelector(`7 in [${Array.from({ length: 2000 }, (_, index) => index).join()}]`);
  expect([selects(gpu), selects({ ...gpu, likeness: 'another' })]).toEqual([true, true]);
  const tried = exec.mock.calls.length;
  exec.mockRestore();
  expect(tried).toBeLessThan(4_100);
});

test('claims with long selectors are equal where all of these are, and their texts are short', () => {
  const long = (number: number) => `device.driver == "gpu.example.com" && [${'0, '.repeat(2000)}${number}].size() > 0`;
  const claims = [
    [1, 2],
    [1, 2],
    [1, 3],
    [2, 1],
  ].map((numbers, index) => ({
    metadata: { name: `c-${index}`, namespace: 'default' },
    spec: {
      devices: {
        requests: numbers.map((number, each) => ({
          name: `r-${each}`,
          exactly: { deviceClassName: 'gpu', selectors: [{ cel: { expression: long(number) } }] },
        })),
      },
    },
  }));
  const pods = claims.map(({ metadata: { name } }) => ({
    metadata: { name, namespace: 'default' },
    spec: { containers: [{ name: 'main' }], resourceClaims: [{ name: 'gpu', resourceClaimName: name }] },
  }));
  const stringify = jest.spyOn(JSON, 'stringify');
  const devicesOf = podDevicesReader(
    snapshotOf({ nodePools: [], instanceTypes: [], deviceClasses: [deviceClass], resourceClaims: claims, pods }),
  );
  const texts = pods.map((pod) => devicesOf(pod)?.text);
  const longest = Math.max(...stringify.mock.results.map(({ value }) => String(value).length));
  stringify.mockRestore();
  expect(texts.map((text) => texts.indexOf(text))).toEqual([0, 0, 2, 3]);
  expect(longest).toBeLessThan(500);
});
