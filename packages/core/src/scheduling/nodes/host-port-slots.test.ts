import { describe, expect, test } from '@jest/globals';
import { finish } from '../../base/index.ts';
import type { Daemon } from '../../cluster/index.ts';
import type { HostPort, Pod } from '../../kube/index.ts';
import { aBareNode, aBareSnapshot } from '../../cluster/testing/a-bare-cluster.ts';
import { aPod } from '../../testing/objects.ts';
import { readingPorts } from './host-port-slots.ts';
import type { PortSlots } from './host-port-slots.ts';

const podOn = (hostPort: number, hostIP?: string, protocol = 'TCP'): Pod => {
  const port = { containerPort: hostPort, hostPort, protocol, ...(hostIP === undefined ? {} : { hostIP }) };
  return aPod('p', { spec: { containers: [{ name: 'main', ports: [port] }] } });
};
const ofDaemonSet = (pod: Pod): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'd', controller: true }] },
});
const withPorts = (...ports: readonly number[]): Pod => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'main', ports: ports.map((hostPort) => ({ containerPort: hostPort, hostPort })) }] },
});
const aPort = (port: number, address = '0.0.0.0', protocol = 'TCP'): HostPort => ({ port, address, protocol });
const aDaemon = (...ports: readonly HostPort[]): Daemon => ({
  name: 'd',
  uid: 'd',
  spec: { containers: [] },
  requests: {},
  ports,
  tolerations: [],
  alternatives: [],
});

interface Holders {
  readonly pending?: readonly Pod[];
  readonly running?: readonly Pod[];
  readonly daemons?: readonly Daemon[];
}

const portSlotsOf = ({ pending = [], running = [], daemons = [] }: Holders): PortSlots =>
  finish(readingPorts(aBareSnapshot({ nodes: [aBareNode({ pods: running })], pendingPods: pending }), daemons));

describe('a host port has slots', () => {
  test.each<[string, Holders, readonly string[]]>([
    ['not where one pod alone wants it', { pending: [podOn(80)] }, []],
    ['where two pending pods want it', { pending: [podOn(80), podOn(80)] }, ['host port 80/TCP']],
    ['where one pending pod and a daemon want it', { pending: [podOn(80)], daemons: [aDaemon(aPort(80))] }, ['host port 80/TCP']],
    ['where two running pods hold it, which may have to move', { running: [podOn(80), podOn(80)] }, ['host port 80/TCP']],
    ['not where only daemons want it', { daemons: [aDaemon(aPort(80)), aDaemon(aPort(80))] }, []],
    ['not where only daemons and their pods hold it', { daemons: [aDaemon(aPort(80))], running: [ofDaemonSet(podOn(80))] }, []],
    ['not where the numbers differ', { pending: [podOn(80), podOn(81)] }, []],
    ['not where the protocols differ', { pending: [podOn(80), podOn(80, undefined, 'UDP')] }, []],
    [
      'one more for each address that two of them name',
      { pending: [podOn(80, '10.0.0.2'), podOn(80), podOn(80, '10.0.0.1'), podOn(80, '10.0.0.2')] },
      ['host port 80/TCP', 'host port 80/TCP on 10.0.0.2'],
    ],
    ['not where each names an address of its own', { pending: [podOn(80, '10.0.0.2'), podOn(80, '10.0.0.1')] }, []],
    ['one for all ports that the same pods want', { pending: [withPorts(80, 81, 82), withPorts(82, 81, 80)] }, ['host port 80/TCP']],
    [
      'one for each set of pods that want it',
      { pending: [withPorts(80, 81, 82), withPorts(80, 81, 82), withPorts(82)] },
      ['host port 80/TCP', 'host port 82/TCP'],
    ],
  ])('%s', (_, holders, expected) => {
    expect(portSlotsOf(holders).names).toEqual(expected);
  });
});

describe('a port takes', () => {
  const { takenBy, onNode } = portSlotsOf({
    pending: [podOn(80, '10.0.0.1'), podOn(80, '10.0.0.2'), podOn(80, '10.0.0.2'), podOn(80), podOn(443), podOn(443), podOn(22)],
  });

  test.each<[string, readonly HostPort[], Readonly<Record<string, number>>]>([
    ['nothing where there is none', [], {}],
    ['nothing where nobody else wants it', [aPort(22)], {}],
    ['one part of the port where it names an address', [aPort(80, '10.0.0.1')], { 'host port 80/TCP': 1 }],
    ['the address as well where others name it too', [aPort(80, '10.0.0.2')], { 'host port 80/TCP': 1, 'host port 80/TCP on 10.0.0.2': 1 }],
    ['all parts where it is on every address', [aPort(80)], { 'host port 80/TCP': 4 }],
    ['all parts once where it is named twice', [aPort(80), aPort(80, '10.0.0.1'), aPort(80)], { 'host port 80/TCP': 4 }],
    ['with others what each of them takes', [aPort(443), aPort(80, '10.0.0.1')], { 'host port 443/TCP': 1, 'host port 80/TCP': 1 }],
  ])('%s', (_, ports, expected) => {
    expect(takenBy(ports)).toEqual(expected);
  });

  test('of what a node has', () => {
    expect(onNode).toEqual({ 'host port 80/TCP': 4, 'host port 80/TCP on 10.0.0.2': 1, 'host port 443/TCP': 1 });
  });
});

test('100 pods with one port on addresses of their own have no slot', () => {
  const pending = Array.from({ length: 100 }, (_, pod) => podOn(1000, `10.0.0.${pod}`));
  expect(portSlotsOf({ pending }).names).toEqual([]);
});
