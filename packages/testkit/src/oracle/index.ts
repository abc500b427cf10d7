export * from './brute-force.ts';
