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
