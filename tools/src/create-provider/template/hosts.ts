import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CloudProviderError } from '@karpenter/core';
import type { Host, SshNodeClass } from './node-class.ts';

/** The NodeClaim that a host works for, by name, read from the host itself. Every call fails with a CloudProviderError. */
export interface Hosts {
  ownerOf(host: Host, signal: AbortSignal): Promise<string | undefined>;
  /** Gives the host to a claim, unless it has an owner, and lets it join; answers who the owner is then. */
  take(host: Host, claim: { readonly name: string; readonly nodeClass: SshNodeClass }, signal: AbortSignal): Promise<string | undefined>;
  /** Lets the host leave the cluster, and frees it. */
  free(host: Host, nodeClass: SshNodeClass, signal: AbortSignal): Promise<void>;
}

const HOME = 'd="${KARPENTER_HOME:-/var/lib/karpenter}"; mkdir -p "$d"; cd "$d" || exit 1';
const OWNER = 'cat owner 2>/dev/null || true';
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A file on the host names its NodeClaim. No other state is needed, and two controllers cannot both claim it (`ln` is atomic). */
export const sshHosts = (program = 'ssh'): Hosts => {
  const run = async (host: Host, script: string, signal: AbortSignal): Promise<string | undefined> => {
    const options = ['-o', 'BatchMode=yes', '-o', 'ConnectTimeout=10'];
    try {
      const { stdout } = await promisify(execFile)(program, [...options, host.address, `${HOME}; ${script}`], { signal });
      return stdout.trim() === '' ? undefined : stdout.trim();
    } catch (error) {
      throw new CloudProviderError('network', `a command on ${host.name} failed over SSH`, { cause: error });
    }
  };
  return {
    ownerOf: (host, signal) => run(host, OWNER, signal),
    take: (host, { name, nodeClass }, signal) => {
      const join = `PROVIDER_ID=${quoted(hostProviderIdOf(host, name))} nohup sh -c ${quoted(nodeClass.spec.join)} >join.log 2>&1 &`;
      const own = `echo ${quoted(name)} >"owner.$$"; if ln "owner.$$" owner 2>/dev/null; then ${join} fi; rm "owner.$$"`;
      return run(host, `${own}; ${OWNER}`, signal);
    },
    free: async (host, nodeClass, signal) => {
      await run(host, `sh -c ${quoted(nodeClass.spec.leave)} >/dev/null; rm -f owner`, signal);
    },
  };
};

/** Another one for each time that a host joins. */
export const hostProviderIdOf = (host: Host, claimName: string): string => `ssh:///${host.name}/${claimName}`;
