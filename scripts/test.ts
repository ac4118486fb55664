import { parseArgs } from 'node:util'
import { longFormLines } from './test/nightly.ts'
import { areaNames, areaStep } from './test/area.ts'
import { steps, type Score, type Step } from './test/steps.ts'
import { ensureTools } from './test/tools.ts'

const { values, positionals } = parseArgs({ options: { only: { type: 'string' }, nightly: { type: 'boolean', default: false } }, allowPositionals: true })

/** Runs the checks and tests of the project: all, those of --only a,b, or what concerns the areas that are named; ends with "N passed, N failed". */
async function main(): Promise<void> {
  const wanted = values.only?.split(',')
  const areas = await areaNames()
  const unknown = wanted?.find((name) => !steps.some((step) => step.name === name))
  if (unknown) throw new Error(`--only: there is no step "${unknown}"; there are ${steps.map(({ name }) => name).join(', ')}`)
  const strange = positionals.find((area) => !areas.includes(area))
  if (strange !== undefined) throw new Error(`There is no area "${strange}"; there are ${areas.join(', ')}`)
  if (values.nightly) {
    process.env.TEST_SIZE = 'nightly'
    console.log((await longFormLines()).join('\n'))
  }
  if (values.nightly) process.env.TEST_SEED ??= String(Date.now() % 1_000_000_007)
  console.log(process.env.TEST_SEED ? `Draws: TEST_SEED=${process.env.TEST_SEED}` : 'Draws: those of every day; TEST_SEED=<number> draws others')
  ensureTools({ isNightly: values.nightly })
  const scores: Score[] = []
  const build = steps.filter(({ name }) => name === 'build')
  const chosen = positionals.length > 0 ? [...build, ...await Promise.all(positionals.map(areaStep))] : steps.filter(({ name, isLong }) => (wanted ? wanted.includes(name) : values.nightly || !isLong))
  for (const step of chosen) scores.push(await run(step))
  const passed = scores.reduce((sum, score) => sum + score.passed, 0)
  const failed = scores.reduce((sum, score) => sum + score.failed, 0)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
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
