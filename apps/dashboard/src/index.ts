/**
 * `@karpenter/dashboard`: serves the page of the controller. What is in `@karpenter/dashboard/page` is the page itself,
 * as built.
 */
export { type Dashboard, type DashboardOptions, startDashboard } from './serve/dashboard-server.ts';
