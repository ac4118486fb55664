import { matchesGlob } from 'node:path'

/** A group of test files that the run of every day leaves to `npm run test:rest`, and what meets their ground every day. */
interface LeftOut {
  reason: string
  files: readonly string[]
}

const of = (folder: string, names: string): string[] => names.split(' ').map((name) => `tests/${folder}/${name}.test.ts`)

/**
 * Test files that `npm test` leaves to `npm run test:rest`, so that every change is answered in some 15 minutes on two processors. A new file
 * runs every day; what is listed here has its reason, and runs too whenever its area is named: `npm test -- leads --journeys`.
 */
export const leftOut: readonly LeftOut[] = [
  {
    reason: 'One subject each: every day the walk opens its screens, and its calls are tested through the doors.',
    files: of(
      'e2e',
      'activities agents api-users calculators client-import client-page clients company-look complaints deactivation files first-reads identity insurance ip-addresses joint-loan lead-belongings lists loan-courses loan-money money oauth-clients office passkeys plans products report-categories second-factor securities servicing settings shell sign-ins sign-out statements tasks teams ussd web-forms webhooks working-time',
    ),
  },
  {
    reason: 'The screens of an officer are drawn by the views that the walk of the administrator looks at every day.',
    files: of('e2e', 'screens-officer'),
  },
  {
    reason: 'Every screen once more with answers that come late: what a record and a form keep a place for is tested every day.',
    files: of('e2e', 'screens-late'),
  },
  {
    reason: 'Parts of days in the field: three of them, with two restarts, are lived through every day (three-days).',
    files: of('e2e', 'day field field-application field-form field-made field-plan field-sheet field-tours new-version photo work'),
  },
  {
    reason: 'What breaks around a running Outpost, in processes of their own: kill and commit-order break it every day.',
    files: of('faults', 'database ending geo geo-outage lost-answers money-kill postgres rolling slow-clients soak upgrade'),
  },
  {
    reason: 'Whole fleets, and the geo service as a process: reports, live positions, events and calls of a fleet run every day.',
    files: of(
      'geo',
      'devices-screen feeds fleet-day fleet-faults fleet-journey fleet-many fleet-paper fleet-screens live-crowd report-files service simulate',
    ),
  },
  {
    reason: 'Programs of operators, run as programs: the journeys open their Outposts as `npm start` does, and fill the demo.',
    files: [
      ...of('scripts', 'backup image seed start watch'),
      ...of('session', 'process'),
      ...of('platform', 'embedded plain-owner secrets'),
    ],
  },
  {
    reason: 'Workers that die in the middle of a job, memory and traces: the jobs and reports themselves run every day.',
    files: [...of('jobs', 'lost-workers traces'), ...of('reports', 'lost-runs memory')],
  },
  {
    reason: 'Strange names and values in every text of every call; every day the probes send each call good and bad input.',
    files: of('security', 'keys odd-values'),
  },
  {
    reason: 'Loans on random courses, and reports as files: the rules, figures and files of reports run every day.',
    files: of('api/loans', 'courses report-files'),
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
