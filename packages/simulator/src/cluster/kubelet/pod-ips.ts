/** Addresses of the pod network, 10.244.0.0/16 upwards, never twice. */
export const podIps = (): (() => string) => {
  let last = 1;
  return () => {
    last += 1;
    return `10.${244 + ((last >> 16) % 12)}.${(last >> 8) & 255}.${last & 255}`;
  };
};
