import type { FieldProblem } from '../../base/index.ts';
import type { LabelCatalog } from '../../apis/index.ts';
import type { StorageView } from '../../cluster/index.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../kube/index.ts';
import { classNameOf } from './volume-claims.ts';
import { driverOfProvisioner, driverOfVolume } from './attachment-limits.ts';
import type { TooComplex } from '../rejection/rejection.ts';
import type { Alternatives, ReadAlternatives } from './volume-alternatives.ts';
import { alternativesOfClass, alternativesOfVolume, isRefused } from './volume-alternatives.ts';
import { unsupportedClass, unsupportedDriver } from './unsupported-volumes.ts';
import type { UnsupportedVolumes } from './unsupported-volumes.ts';

/** What one claim asks of the node of a pod that uses it. */
export interface ClaimNeeds {
  readonly alternatives: Alternatives;
  /** The CSI driver that will attach the volume; undefined where none does. */
  readonly driver: string | undefined;
  readonly isExclusive: boolean;
}

/** Where claims are looked up, and how labels are read. */
export interface ClaimContext {
  readonly storage: StorageView;
  readonly catalog: LabelCatalog;
  readonly unsupported?: UnsupportedVolumes | undefined;
}

const BOUND = 'pv.kubernetes.io/bind-completed';

/** The name of a claim, its field in a rejection, and what it says. */
interface Subject {
  readonly field: string;
  readonly value: string;
  readonly claim: PersistentVolumeClaim;
}

const brokenVolume = (name: string, volume: PersistentVolume | undefined): string | undefined => {
  if (volume === undefined) return `its PersistentVolume ${name} does not exist; restore it, or delete the claim and create it again`;
  if (volume.metadata.deletionTimestamp === undefined) return undefined;
  return `its PersistentVolume ${name} is being deleted; delete the claim and create it again`;
};

const brokenClaim = ({ metadata, spec, status }: PersistentVolumeClaim): string | undefined => {
  if (metadata.deletionTimestamp !== undefined) return 'the claim is being deleted; pods can use it once it is created again';
  if (status?.phase === 'Lost')
    return `the claim has lost its PersistentVolume ${spec?.volumeName ?? ''}; delete the claim and create it again`;
  return undefined;
};

const withNeeds = (
  alternatives: ReadAlternatives,
  { driver, claim }: { readonly driver: string | undefined; readonly claim: PersistentVolumeClaim },
): ClaimNeeds | FieldProblem | TooComplex =>
  isRefused(alternatives)
    ? alternatives
    : { alternatives, driver, isExclusive: claim.spec?.accessModes?.includes('ReadWriteOncePod') === true };

const needsOfBound = (
  { field, value, claim }: Subject,
  volumeName: string,
  { storage, catalog, unsupported = {} }: ClaimContext,
): ClaimNeeds | FieldProblem | TooComplex => {
  const volume = storage.volumes.get(volumeName);
  const broken = brokenVolume(volumeName, volume);
  if (broken !== undefined || volume === undefined) return { field, value, problem: broken ?? '' };
  if (claim.metadata.annotations?.[BOUND] === undefined) {
    return {
      field,
      value,
      problem: `the claim is still being bound to PersistentVolume ${volumeName}; the pod is checked again when it is`,
    };
  }
  const driver = driverOfVolume(volume);
  const problem = unsupportedDriver(driver, unsupported);
  return problem === undefined ? withNeeds(alternativesOfVolume(volume, catalog), { driver, claim }) : { field, value, problem };
};

const brokenClass = (name: string, storageClass: StorageClass | undefined): string | undefined => {
  if (storageClass === undefined) return `the StorageClass ${name} does not exist; create it, or name another in a new claim`;
  if (storageClass.volumeBindingMode !== 'WaitForFirstConsumer') {
    return `the claim is not bound, and its StorageClass ${name} binds at once, wherever pods are; wait until it is, or use WaitForFirstConsumer`;
  }
  return undefined;
};

const needsOfUnbound = (
  { field, value, claim }: Subject,
  { storage, catalog, unsupported = {} }: ClaimContext,
): ClaimNeeds | FieldProblem | TooComplex => {
  const storageClassName = classNameOf(claim, storage);
  if (storageClassName === undefined) {
    return { field, value, problem: 'the claim is not bound and names no StorageClass; name one, or bind it to a PersistentVolume' };
  }
  const storageClass = storage.classes.get(storageClassName);
  const broken = brokenClass(storageClassName, storageClass);
  if (broken !== undefined || storageClass === undefined) return { field, value, problem: broken ?? '' };
  const driver = driverOfProvisioner(storageClass.provisioner);
  const problem = unsupportedClass(storageClass, unsupported) ?? unsupportedDriver(driver, unsupported);
  return problem === undefined ? withNeeds(alternativesOfClass(storageClass, catalog), { driver, claim }) : { field, value, problem };
};

/** What a claim asks of a node, or what is wrong with it; the field names the pod's volume, the value the claim. */
export const claimNeeds = (subject: Subject, context: ClaimContext): ClaimNeeds | FieldProblem | TooComplex => {
  const { field, value, claim } = subject;
  const problem = brokenClaim(claim);
  if (problem !== undefined) return { field, value, problem };
  const { volumeName = '' } = claim.spec ?? {};
  return volumeName === '' ? needsOfUnbound(subject, context) : needsOfBound(subject, volumeName, context);
};
