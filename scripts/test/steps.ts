import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { atOrdinaryMoment, canSetClock, clockAt, momentsOf, ordinaryMoment, timeDependent } from './clock.ts'
import { journeyParts } from './journeys.ts'
import { filledHouse } from './filled.ts'
import { findPlants } from './planted.ts'
import { generate } from '../generate.ts'
import { buildConsole } from '../start/build-console.ts'

const root = resolve(import.meta.dirname, '../..')

export interface Score {
  passed: number
  failed: number
  /** The runs of one file each that failed, to be looked at once more. */
  doubtful?: readonly Doubtful[]
}
/** A file of tests that failed beside others. */
export interface Doubtful {
  file: string
  failed: number
  runAlone(): Promise<Score>
}
export interface Step {
  name: string
  what: string
  run(): Promise<Score>
  /** Begins what this step needs and what may be done beside the step before it. */ prepare?(): void
  /** Part of the nightly run only. */ isLong?: boolean
  /** Has files that the run of every day leaves out, or makes what they need. */ hasRest?: boolean
  /** Reads the sources only, on one processor: beside others of its kind. */ isCheck?: boolean
}

/** Everything `npm test` does, in order: the fastest failures first. */
export const steps: readonly Step[] = [
  { name: 'build', what: 'generated clients and console', run: build, hasRest: true },
  { name: 'types', what: 'TypeScript, server side', run: () => tool('typescript', ['-p', '.']), isCheck: true },
  { name: 'types-console', what: 'TypeScript, console', run: () => tool('typescript', ['-p', 'apps/console']), isCheck: true },
  { name: 'format', what: 'oxfmt: every file is laid out the same way', run: () => tool('oxfmt', ['--check', '.']), isCheck: true },
  { name: 'lint', what: 'oxlint: mistakes and sizes', run: () => tool('oxlint', ['--type-aware', '--quiet']), isCheck: true },
  { name: 'walls', what: 'dependency-cruiser: who may import whom', run: walls, isCheck: true },
  { name: 'dead', what: 'knip: code, files and packages that nobody uses', run: () => tool('knip', ['--no-progress']), isCheck: true },
  { name: 'unit', what: 'pure code', run: () => vitest('unit') },
  { name: 'doors', what: 'through the doors: Postgres, HTTP, jobs, sync, security', run: doors, hasRest: true },
  { name: 'hours', what: 'what depends on the hour, at other hours and days', run: atOtherHours, isLong: true },
  { name: 'planted', what: 'mistakes planted in the sync, which its tests must find', run: findPlants, isLong: true },
  { name: 'browser', what: 'the console in Chromium', run: () => vitest('browser'), hasRest: true },
  { name: 'e2e', what: 'the journey: console, server and Postgres together', run: journeys, prepare: () => void filled(), hasRest: true },
]

const programs = {
  typescript: 'node_modules/@typescript/native/bin/tsc',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  oxfmt: 'node_modules/oxfmt/bin/oxfmt',
  depcruise: 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
  knip: 'node_modules/knip/bin/knip.js',
  vitest: 'node_modules/vitest/vitest.mjs',
} as const

async function build(): Promise<Score> {
  try {
    await generate()
    await buildConsole()
    return { passed: 1, failed: 0 }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1 }
  }
}

async function tool(name: keyof typeof programs, args: readonly string[]): Promise<Score> {
  const { code, output } = await execute(name, args)
  if (code !== 0) console.error(output)
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** Also fails when it saw no files: a broken set-up must not pass as success. */
async function walls(): Promise<Score> {
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'packages', 'apps', 'scripts', 'prisma/seed', 'tests']
  const { code, output } = await execute('depcruise', args)
  const seen = Number(/(\d+) modules/.exec(output)?.[1] ?? 0)
  if (code === 0 && seen > 100) return { passed: 1, failed: 0 }
  console.error(output, seen > 100 ? '' : `only ${seen} modules seen`)
  return { passed: 0, failed: 1 }
}

const timed = new Set(['unit', 'doors', 'kernel'])

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[]
}

/**
 * A file that does not load counts as one failure; so does a run that fails without a failed test. `instant`: the time of the run;
 * browsers keep the machine's time.
 */
export async function vitest(project: string, files: readonly string[] = [], instant = process.env.TEST_NOW): Promise<Score> {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-report-'))
  const file = join(folder, 'report.json')
  try {
    const args = [
      'run',
      ...files,
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      '--passWithNoTests',
    ]
    const { code } = await execute('vitest', args, {
      isShown: true,
      env: instant !== undefined && timed.has(project) ? clockAt(instant) : {},
    })
    const report = await readFile(file, 'utf8').then(
      (text) => JSON.parse(text) as Report,
      () => undefined,
    )
    if (!report) return { passed: 0, failed: 1 }
    const doubtful = report.testResults
      .filter(({ status }) => status === 'failed')
      .map(({ name, assertionResults }): Doubtful => {
        const broken = assertionResults.filter(({ status }) => status === 'failed').length
        return { file: name, failed: Math.max(1, broken), runAlone: () => vitest(project, [name], instant) }
      })
    const failed = doubtful.reduce((sum, one) => sum + one.failed, 0)
    return { passed: report.numPassedTests, failed: code === 0 ? failed : Math.max(1, failed), doubtful }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * What depends on the hour runs at an ordinary one, the rest at the machine's: under libfaketime, Redis, brokers and file times go
 * astray. Where the clock cannot be set, or the whole run is at another time, all run together.
 */
async function doors(): Promise<Score> {
  if (process.env.TEST_NOW !== undefined || !canSetClock()) return sideBySide(['doors', 'kernel'])
  const timed = await Promise.all([vitest('doors', atOrdinaryMoment, ordinaryMoment(Date.now())), vitest('kernel')])
  process.env.TEST_PART = 'timeless'
  const timeless = await vitest('doors')
  delete process.env.TEST_PART
  return addScores([...timed, timeless])
}

/** What is wrong with it is said by the parts, which then fill one each. */
const filled = (): Promise<string | undefined> => filledHouse().catch(() => undefined)

async function journeys(): Promise<Score> {
  const folder = await filled()
  if (folder !== undefined) process.env.FILLED_HOUSE = folder
  const score = await sideBySide(journeyParts)
  delete process.env.FILLED_HOUSE
  return score
}

/** Each project has its own server or database, and tests mostly wait: in parallel they take the time of the longest. */
async function sideBySide(projects: readonly string[]): Promise<Score> {
  return addScores(await Promise.all(projects.map((project) => vitest(project))))
}

export function addScores(scores: readonly Score[]): Score {
  return {
    passed: scores.reduce((sum, { passed }) => sum + passed, 0),
    failed: scores.reduce((sum, { failed }) => sum + failed, 0),
    doubtful: scores.flatMap(({ doubtful = [] }) => doubtful),
  }
}

/** More files than these fail for a reason, not by chance. */
const mostUnsteady = 3

/**
 * A few files that failed beside all others run once more, each alone. What passes then counts as passed and is named at the end of the
 * run as unsteady: somebody has to mend it, but it does not hold up everybody's work. What fails alone too has failed.
 */
export async function lookAgain(score: Score): Promise<Score & { unsteady: readonly string[] }> {
  const { doubtful = [] } = score
  // A run can also fail as a whole, without a file to blame.
  const isExplained = doubtful.reduce((sum, { failed }) => sum + failed, 0) === score.failed
  if (doubtful.length === 0 || doubtful.length > mostUnsteady || !isExplained) return { ...score, unsteady: [] }
  let { passed, failed } = score
  const unsteady: string[] = []
  for (const { file, failed: broken, runAlone } of doubtful) {
    console.log(`\n-- once more, alone: ${relative(root, file)}`)
    if ((await runAlone()).failed > 0) continue
    unsteady.push(relative(root, file))
    passed += broken
    failed -= broken
  }
  return { passed, failed, unsteady }
}

/** The same suites at each of the times, one after the other, because each uses all processors. */
async function atOtherHours(): Promise<Score> {
  const scores: Score[] = []
  for (const { what, instant } of momentsOf(Date.now())) {
    console.log(`\n-- ${what}: TEST_NOW=${instant}`)
    scores.push(await vitest('doors', timeDependent, instant))
  }
  return addScores(scores)
}

/** Runs a program of node_modules with this Node; its output is captured, or shown as it arrives. */
function execute(
  name: keyof typeof programs,
  args: readonly string[],
  { isShown = false, env: own = {} }: { isShown?: boolean; env?: Record<string, string> } = {},
): Promise<{ code: number; output: string }> {
  // Use the console of the step "build"; otherwise each test run would build one.
  const colour = process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: '0' }
  const env = { ...process.env, ...colour, CONSOLE_DIST: join(root, 'apps/console/dist'), ...own }
  const stdio = isShown ? ('inherit' as const) : ('pipe' as const)
  const child = spawn(process.execPath, [join(root, programs[name]), ...args], { cwd: root, env, stdio: ['ignore', stdio, stdio] })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((done, refuse) => {
    child.once('error', refuse)
    child.once('close', (code) => done({ code: code ?? 1, output }))
  })
}
