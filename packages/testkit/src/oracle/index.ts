export * from './brute-force.ts';
export * from './cheapest-bindable.ts';
