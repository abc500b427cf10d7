export * from './bind-plan.ts';
export * from './why-pending.ts';
