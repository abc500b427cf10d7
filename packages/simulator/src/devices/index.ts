export type { DeviceTask, ReachableDevice, TakenDevices } from './device-search.ts';
export { DeviceSearch } from './device-search.ts';
export * from './extended-resource-claim.ts';
export type { ReachedDevices } from './published-devices.ts';
export { isBrokenPool, poolCounters, publishedDevicesOn } from './published-devices.ts';
export * from './selects-device.ts';
