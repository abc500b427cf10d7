export * from './selects-device.ts';
