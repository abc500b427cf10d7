import { describe, expect, test } from '@jest/globals';
import { Turns } from './turns.ts';

const { signal: never } = new AbortController();

/** Tasks that end when they are named, and what has begun so far. */
const aScene = (most: number) => {
  const turns = new Turns(most);
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  const task = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve) => endings.set(name, () => resolve(name)));
  };
  const run = (name: string, signal = never): Promise<string> => turns.run(name.slice(0, 1), task(name), signal);
  const end = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) {
      endings.get(name)?.();
      await new Promise(setImmediate);
    }
  };
  return { turns, begun, run, end };
};

describe('tasks in turns', () => {
  test('when fewer are there than may run at once › each begins at once, and settles as it does', async () => {
    const { begun, run, end } = aScene(3);
    const both = Promise.all([run('a1'), run('b1')]);
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1', 'a1');
    await expect(both).resolves.toEqual(['a1', 'b1']);
  });

  test('when one key has many › one of another key begins after one of these', async () => {
    const { begun, run, end } = aScene(2);
    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2'].map((name) => run(name));
    expect(begun).toEqual(['a1', 'a2']);
    await end('a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5');
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5']);
    await expect(Promise.all(all)).resolves.toHaveLength(8);
  });

  test('when a task fails › its caller hears of it, and the next begins', async () => {
    const { turns, begun, run } = aScene(1);
    const failed = turns.run('a', () => Promise.reject(new Error('no')), never);
    const next = run('b1');
    await expect(failed).rejects.toThrow('no');
    await new Promise(setImmediate);
    expect(begun).toEqual(['b1']);
    void next;
  });

  test('when one is aborted › it never begins where it waited, and its place goes to nobody else', async () => {
    const { begun, run, end } = aScene(1);
    const controller = new AbortController();
    const first = run('a1');
    const waiting = run('b1', controller.signal);
    const last = run('c1');
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(run('d1', controller.signal)).rejects.toThrow('enough');
    await end('a1', 'c1');
    expect(begun).toEqual(['a1', 'c1']);
    await expect(Promise.all([first, last])).resolves.toEqual(['a1', 'c1']);
    const again = run('e1');
    expect(begun).toEqual(['a1', 'c1', 'e1']);
    await end('e1');
    await again;
  });
});
