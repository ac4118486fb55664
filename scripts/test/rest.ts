import { matchesGlob } from 'node:path'

/** A group of test files that the run of every day leaves to `npm run test:rest`, and what meets their ground every day. */
interface LeftOut {
  reason: string
  files: readonly string[]
}

const of = (folder: string, names: string): string[] => names.split(' ').map((name) => `tests/${folder}/${name}.test.ts`)

/**
 * Test files that `npm test` leaves to `npm run test:rest`, so that every change is answered in some 17 minutes on two processors. A new file
 * runs every day; what is listed here has its reason, and runs too whenever its area is named: `npm test -- leads --journeys`.
 */
export const leftOut: readonly LeftOut[] = [
  {
    reason: 'One subject each: every day the walk opens its screens, and its calls are tested through the doors.',
    files: of(
      'e2e',
      'activities agents api-users calculators client-page clients company-look complaints files first-reads identity insurance ip-addresses lists loan-courses loan-money money office passkeys plans products second-factor securities servicing settings shell statements tasks teams ussd web-forms',
    ),
  },
  {
    reason: 'Parts of days in the field: three of them, with two restarts, are lived through every day (three-days).',
    files: of('e2e', 'day field-application field-form field-made field-plan field-sheet new-version photo work'),
  },
  {
    reason: 'What breaks around a running Outpost, in processes of their own: kill and commit-order break it every day.',
    files: of('faults', 'database ending geo geo-outage lost-answers money-kill postgres rolling slow-clients soak upgrade'),
  },
  {
    reason: 'Whole fleets, and the geo service as a process: a journey, reports, live positions and calls of a fleet run every day.',
    files: of('geo', 'devices-screen feeds fleet-day fleet-faults fleet-many fleet-paper fleet-screens report-files service'),
  },
  {
    reason: 'Programs of operators, run as programs: `npm start` runs every day, and the demo is filled for the journeys.',
    files: [...of('scripts', 'backup image seed'), ...of('session', 'process'), ...of('platform', 'embedded plain-owner secrets')],
  },
  {
    reason: 'Workers that die in the middle of a job: the jobs themselves run every day.',
    files: of('jobs', 'lost-workers'),
  },
  {
    reason: 'Strange names in every text of every call; every day the probes send each call good and bad input.',
    files: of('security', 'keys'),
  },
  {
    reason:
      'Parts of the console by themselves, against a made-up server: list, form, table, shell and the store of a device run every day.',
    files: of('console', 'calendar device-faults device-password field-work kanban kinds languages long-log map tours unsent-work'),
  },
]

/** Paths from the root. */
export const restFiles: readonly string[] = leftOut.flatMap(({ files }) => files)

/** Which files a run takes: those of every day, the rest, or all, as it is when somebody runs vitest by hand. */
export type Span = 'daily' | 'rest' | 'all'

/** Vitest's include and exclude for a project, in the span of this run. */
export function inSpan(
  { include, exclude = [] }: { include: string[]; exclude?: string[] },
  span: Span = (process.env.TEST_SPAN as Span | undefined) ?? 'all',
): { include: string[]; exclude: string[] } {
  if (span === 'all') return { include, exclude }
  if (span === 'daily') return { include, exclude: [...exclude, ...restFiles] }
  const isOf = (file: string, patterns: readonly string[]) => patterns.some((pattern) => matchesGlob(file, pattern))
  return { include: restFiles.filter((file) => isOf(file, include) && !isOf(file, exclude)), exclude: [] }
}
