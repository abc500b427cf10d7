import { nodeClassHashing, nodeClassStatusKeeping, nodeClassTermination, type ProviderPlugin } from '@karpenter/core/provider-kit';
import { sshHosts } from './hosts.ts';
import { sshHash, type SshNodeClass, sshNodeClassKind as kind } from './node-class.ts';
import { SshProvider } from './provider.ts';

const finalizer = 'ssh.example.com/termination';

/** What the controller loads by the name of this package. */
export const providerPlugin: ProviderPlugin = {
  contractVersion: 1,
  title: 'SSH',
  options: [{ flag: 'ssh-program', env: 'SSH_PROGRAM', help: 'program that reaches a host', defaultText: 'ssh' }],
  nodeClassKinds: [kind],
  kinds: [{ ...kind, namespaced: false }],
  configure: ({ flags }) => ({
    ok: true,
    about: {},
    create: ({ kube, clock }) => ({
      provider: new SshProvider(kube, sshHosts(flags['ssh-program'])),
      controllers: [
        nodeClassHashing<SshNodeClass>({ kind, hash: sshHash, kube }),
        nodeClassTermination<SshNodeClass>({ kind, finalizer, kube }),
        nodeClassStatusKeeping<SshNodeClass>({
          ...{ kind, finalizer, kube, clock, parts: ['HostsReady'], recheckMs: 600_000 },
          resolve: ({ spec: { hosts } }) =>
            Promise.resolve({
              verdicts: [{ type: 'HostsReady', status: hosts.length > 0 ? 'True' : 'False', reason: 'HostsListed' }],
              status: { hosts: hosts.length },
            }),
        }),
      ],
      singletons: [],
      start: () => Promise.resolve(),
    }),
  }),
};
