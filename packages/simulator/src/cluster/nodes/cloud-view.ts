/** A machine as the cloud knows it. */
export interface CloudMachine {
  readonly providerId: string;
  readonly instanceType: string;
  readonly region: string;
  /** The zone's label value; `0`, a fault domain, for a machine without zone. */
  readonly zone: string;
}

/** What the cloud controller asks of the cloud. */
export interface CloudView {
  machineOf(nodeName: string): CloudMachine | undefined;
  exists(providerId: string): boolean;
}

/** Several clouds as one: the first that knows a machine speaks for it. The list may grow. */
export const allClouds = (clouds: readonly CloudView[]): CloudView => ({
  machineOf: (nodeName) => {
    for (const cloud of clouds) {
      const machine = cloud.machineOf(nodeName);
      if (machine !== undefined) return machine;
    }
    return undefined;
  },
  exists: (providerId) => clouds.some((cloud) => cloud.exists(providerId)),
});
