import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { runCommand } from '../testing/run-command.ts';

const scriptOf = async (shell: string): Promise<string> => {
  const { code, out } = await runCommand(`completion ${shell}`);
  expect(code).toBe(0);
  return out;
};

/** What bash offers for the last of the words. */
const offered = (script: string, words: readonly string[]): readonly string[] => {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _karpenter; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
};

describe('in bash', () => {
  test.each([
    [
      ['karpenter', ''],
      ['nodes', 'plan', 'why', 'diff', 'savings', 'rebalance', 'convert', 'preflight', 'completion', '--version', '-h', '--help'],
    ],
    [['karpenter', 'sa'], ['savings']],
    [['karpenter', 'preflight', '--j'], ['--json']],
    [['karpenter', 'nodes', '--wa'], ['--watch']],
    [
      ['karpenter', 'plan', '--c'],
      ['--capacity', '--context'],
    ],
    [
      ['karpenter', 'nodes', '--output', ''],
      ['text', 'json'],
    ],
    [['karpenter', 'nodes', '-o', 'j'], ['json']],
    [['karpenter', 'nodes', '--pool', ''], []],
    [['karpenter', 'diff', '-f', '/etc/host'], ['/etc/hosts']],
    [['karpenter', 'convert', '/etc/host'], ['/etc/hosts']],
    [
      ['karpenter', 'convert', '-'],
      ['-h', '--help'],
    ],
    [
      ['karpenter', 'nodes', '--output', '='],
      ['text', 'json'],
    ],
    [['karpenter', 'nodes', '--output', '=', 'j'], ['json']],
    [['karpenter', 'completion', 'f'], ['fish']],
  ])('%j is completed by %j', async (words, expected) => {
    const answer = offered(await scriptOf('bash'), words);
    expect(expected.length > 1 ? [...answer].sort() : answer).toEqual(expect.arrayContaining([...expected].sort()));
    if (!expected.includes('/etc/hosts')) expect(answer).toHaveLength(expected.length);
  });
});

test('kubectl is given what may follow, and that nothing else may', async () => {
  const script = await scriptOf('kubectl');
  const completed = (...words: readonly string[]): string =>
    execFileSync('bash', ['-c', script, 'kubectl_complete-karpenter', ...words], { encoding: 'utf8' });
  expect(completed('sa')).toBe('savings\n:4\n');
  expect(completed('nodes', '--output', '')).toBe('text\njson\n:4\n');
});

test('zsh runs the completion of bash, in which a folder is no end', async () => {
  expect(await scriptOf('zsh')).toMatch(
    /^#compdef karpenter\n[^]*bashcompinit\n[^]*\n_karpenter\(\) \{[^]*\ncomplete -o filenames -F _karpenter karpenter\n$/,
  );
});

test('fish knows each command with its description, and what flags take', async () => {
  const lines = (await scriptOf('fish')).split('\n');
  expect(lines).toContainEqual(expect.stringMatching(/^complete -c karpenter -n __fish_use_subcommand -a savings -d 'what /));
  expect(lines).toContainEqual(expect.stringMatching(/seen_subcommand_from nodes' -s o -l output -x -a 'text json' -d /));
  expect(lines).toContainEqual(expect.stringMatching(/seen_subcommand_from nodes' -s w -l watch -d /));
  expect(lines).toContain("complete -c karpenter -n '__fish_seen_subcommand_from convert' -F");
  expect(lines).toContainEqual(expect.stringMatching(/seen_subcommand_from diff' -s f -l filename -r -F -d /));
});

test('another shell is refused with those that are known', async () => {
  const { code, complaints } = await runCommand('completion tcsh');
  expect([code, complaints.join(' ')]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish, kubectl.')]);
});
