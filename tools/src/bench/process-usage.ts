/** Writes what a process used, in KiB and µs, to its standard error when it ends; for `--import`. */
export const usageHook = `data:text/javascript,process.on('exit',()=>{const{maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage();process.stderr.write('USAGE'+JSON.stringify([maxRSS,userCPUTime+systemCPUTime]))})`;

/** What a process with the hook has used. */
export interface UsedByProcess {
  /** What else it said on standard error. */
  readonly said: string;
  readonly residentKiB: number;
  readonly processorSeconds: number;
}

/** Takes standard error apart. */
export const usageIn = (stderr: string): UsedByProcess => {
  const [said = '', usage = '[]'] = stderr.split('USAGE');
  const [residentKiB = 0, microseconds = 0] = JSON.parse(usage) as readonly number[];
  return { said, residentKiB, processorSeconds: microseconds / 1e6 };
};
