/** Values in order of `compare`, least first. */
export interface Heap<T> {
  push(value: T): void;
  /** The least value, left in place. */
  peek(): T | undefined;
  /** The least value, taken out. */
  pop(): T | undefined;
  readonly size: number;
}

/** An empty binary heap. Push and pop cost O(log n). Equal values come out in no particular order. */
export const heap = <T>(compare: (a: T, b: T) => number): Heap<T> => {
  const items: T[] = [];
  const isBefore = (a: T, b: T | undefined): boolean => b === undefined || compare(a, b) < 0;

  const siftUp = (value: T): void => {
    let at = items.length;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = items[parentAt];
      if (parent === undefined || !isBefore(value, parent)) break;
      items[at] = parent;
      at = parentAt;
    }
    items[at] = value;
  };

  const siftDown = (value: T): void => {
    let at = 0;
    for (;;) {
      const leftAt = 2 * at + 1;
      const left = items[leftAt];
      if (left === undefined) break;
      const right = items[leftAt + 1];
      const childAt = right !== undefined && isBefore(right, left) ? leftAt + 1 : leftAt;
      const child = childAt === leftAt ? left : right;
      if (child === undefined || !isBefore(child, value)) break;
      items[at] = child;
      at = childAt;
    }
    items[at] = value;
  };

  return {
    push: siftUp,
    peek: () => items[0],
    pop() {
      const least = items[0];
      const last = items.pop();
      if (last !== undefined && items.length > 0) siftDown(last);
      return least;
    },
    get size() {
      return items.length;
    },
  };
};
