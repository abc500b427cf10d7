import type { PlanVerdict } from './comparison.ts';

/** A difference from the original's answer that is meant, and why. */
interface AcceptedDifference {
  readonly verdict: PlanVerdict;
  readonly reason: string;
}

const launchableDomain: AcceptedDifference = {
  verdict: 'fewer',
  reason: 'a spread counts each domain in which a pool may launch; the plan of the original holds only while no node comes up there',
};

const preferencesHonoured: AcceptedDifference = {
  verdict: 'keeps-more',
  reason: 'Respect pays for the preferences that pods can have; the original drops more weight of them, and without any ours costs no more',
};

/** Questions whose plan is dearer by the price of its preferences, which the comparison checks for each. */
const preferencesHonouredIn = [
  'full-0095',
  'full-0144',
  'full-0220',
  'full-0250',
  'full-0315',
  'full-0378',
  'full-0460',
  'full-0517',
  'full-0675',
  'full-0689',
  'full-0794',
  'full-0843',
  'full-0878',
  'full-0916',
  'full-0920',
  'full-0937',
];

/** Question → its difference. `docs/against-the-original.md` shows the reasons; what is not here counts as a fault. */
export const acceptedDifferences: Readonly<Record<string, AcceptedDifference>> = {
  'fuzz-0404': launchableDomain,
  'fuzz-0438': launchableDomain,
  'full-0206': launchableDomain,
  'scheduling-000450': {
    verdict: 'fewer',
    reason: 'minDomains with ScheduleAnyway is refused: the API server accepts no such pod',
  },
  'dra-provisioning-000019': {
    verdict: 'more',
    reason: 'the original ran with claims ignored, and left the pod over; the question does not say so, and the type brings its device',
  },
  'full-0953': {
    verdict: 'dearer',
    reason:
      'the pool of greater weight still has room within its limits, and is on demand; the original counts its nodes at their largest type and moves on to spot',
  },
  'full-0388': {
    verdict: 'dearer',
    reason:
      'the second pool still has room within its limits, so a sixth node takes the ninth pod; the original counts each node at its largest type, and that pod tolerates a soft taint',
  },
  'fuzz-0613': {
    verdict: 'dearer',
    reason:
      'six pods are in the pool of greater weight, which its limits allow; the original puts four of them there and two into a cheaper pool',
  },
  'fuzz-0855': {
    verdict: 'dearer',
    reason:
      'a spread over hosts counts 0 for a host that may be added; the original puts two pods on a host that its own constraint did not count',
  },
  ...Object.fromEntries(preferencesHonouredIn.map((id) => [id, preferencesHonoured])),
};
