export { preflight, type PreflightSource } from './preflight.ts';
export { type PreflightCheck, type PreflightFinding, type PreflightReport, type PreflightStatus, preflightText } from './report.ts';
