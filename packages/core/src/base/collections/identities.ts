/** Numbers for objects, by identity: from 0 on, in the order of their first use. */
export const identities = (): ((value: object | undefined) => number) => {
  const numbers = new Map<object | undefined, number>();
  return (value) => {
    const number = numbers.get(value) ?? numbers.size;
    numbers.set(value, number);
    return number;
  };
};
