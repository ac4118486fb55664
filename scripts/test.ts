import { parseArgs } from 'node:util'
import { mapAsync } from 'es-toolkit/array/mapAsync'
import { generate } from './generate.ts'
import { longFormLines } from './test/nightly.ts'
import { areaNames, areaStep } from './test/area.ts'
import { restFiles } from './test/rest.ts'
import { addScores, lookAgain, steps, type Score, type Step } from './test/steps.ts'
import { ensureTools } from './test/tools.ts'

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string' },
    rest: { type: 'boolean', default: false },
    nightly: { type: 'boolean', default: false },
    journeys: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

const usage = `npm test                        what every change has to pass; ends with "N passed, N failed"
npm test -- leads               what concerns an area: pure code, its doors, the probes of its routes, its files of the console
npm test -- leads --journeys    and its journeys through console, server and Postgres
npm test -- --only types,lint   these steps: ${steps.map(({ name }) => name).join(', ')}
npm run test:rest               the files that npm test leaves out, see scripts/test/rest.ts
npm run test:nightly            everything in its long form
TEST_SEED=7 draws others and another order of the files, TEST_NOW=2028-02-29T20:58:30Z is at another time (of themselves the suites that look at the clock run on a Wednesday morning), TEST_LOG=debug shows what servers log`

/** Runs the checks and tests of the project: those of every day, the rest, those of --only a,b, or those of the named areas; ends with "N passed, N failed". */
async function main(): Promise<void> {
  if (values.help) return console.log(usage)
  const chosen = await chooseSteps()
  if (values.nightly) {
    process.env.TEST_SIZE = 'nightly'
    process.env.TEST_SEED ??= String(Date.now() % 1_000_000_007)
    console.log((await longFormLines()).join('\n'))
  }
  const isDaily = !values.rest && !values.nightly && positionals.length === 0
  if (isDaily || values.rest) process.env.TEST_SPAN = isDaily ? 'daily' : 'rest'
  console.log(
    process.env.TEST_SEED ? `Draws: TEST_SEED=${process.env.TEST_SEED}` : 'Draws: those of every day; TEST_SEED=<number> draws others',
  )
  ensureTools({ isNightly: values.nightly })
  // Where the server does not even load, the types say why.
  await generate().catch((error: unknown) => console.error(error instanceof Error ? error.message : error))
  const scores: Score[] = []
  const groups = sideBySide(chosen)
  for (const [at, together] of groups.entries()) {
    for (const next of groups[at + 1] ?? []) next.prepare?.()
    scores.push(...(await mapAsync(together, run, { concurrency: 2 })))
  }
  // A static check that failed says enough; so does an area's run, which is short.
  const isWhole = positionals.length === 0
  const total = addScores(scores)
  const { passed, failed, unsteady } = isWhole ? await lookAgain(total) : { ...total, unsteady: [] }
  if (isDaily) console.log(`\nLeft to npm run test:rest: ${restFiles.length} files`)
  for (const file of unsteady) console.log(`UNSTEADY: ${file} failed beside the others and passed alone; find out why`)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
}

/** Throws for an unknown step or area. */
async function chooseSteps(): Promise<Step[]> {
  const wanted = values.only?.split(',')
  const unknown = wanted?.find((name) => !steps.some((step) => step.name === name))
  if (unknown) throw new Error(`--only: there is no step "${unknown}"; there are ${steps.map(({ name }) => name).join(', ')}`)
  const isTaken = ({ name, isLong, hasRest }: Step) =>
    wanted ? wanted.includes(name) : values.nightly || (!isLong && (!values.rest || hasRest))
  if (positionals.length === 0) return steps.filter(isTaken)
  const areas = await areaNames()
  const strange = positionals.find((area) => !areas.includes(area))
  if (strange !== undefined) throw new Error(`There is no area "${strange}"; there are ${areas.join(', ')}`)
  const own = await Promise.all(positionals.map((area) => areaStep(area, { withJourneys: values.journeys })))
  return [...steps.filter(({ name }) => name === 'build'), ...own]
}

/** The steps in their order; checks, which follow each other, as one group. */
function sideBySide(all: readonly Step[]): Step[][] {
  const groups: Step[][] = []
  for (const step of all) {
    const last = groups.at(-1)
    if (step.isCheck && last?.[0]?.isCheck) last.push(step)
    else groups.push([step])
  }
  return groups
}

async function run({ name, what, run }: Step): Promise<Score> {
  console.log(`\n== ${name}: ${what}`)
  const begun = performance.now()
  const score = await run()
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`== ${name}: ${score.failed === 0 ? 'ok' : 'FAILED'} in ${seconds} s`)
  return score
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  console.log('\n0 passed, 1 failed')
  process.exitCode = 1
})
