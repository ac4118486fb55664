import { parseArgs } from 'node:util'
import { longFormLines } from './test/nightly.ts'
import { steps, type Score } from './test/steps.ts'
import { ensureTools } from './test/tools.ts'

const { values } = parseArgs({ options: { only: { type: 'string' }, nightly: { type: 'boolean', default: false } } })

/** Runs the checks and tests of the project, all or those of --only a,b; ends with "N passed, N failed". */
async function main(): Promise<void> {
  const wanted = values.only?.split(',')
  const unknown = wanted?.find((name) => !steps.some((step) => step.name === name))
  if (unknown) throw new Error(`--only: there is no step "${unknown}"; there are ${steps.map(({ name }) => name).join(', ')}`)
  if (values.nightly) {
    process.env.TEST_SIZE = 'nightly'
    console.log((await longFormLines()).join('\n'))
  }
  ensureTools()
  const scores: Score[] = []
  for (const step of steps.filter(({ name }) => !wanted || wanted.includes(name))) scores.push(await run(step))
  const passed = scores.reduce((sum, score) => sum + score.passed, 0)
  const failed = scores.reduce((sum, score) => sum + score.failed, 0)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
}

async function run({ name, what, run }: (typeof steps)[number]): Promise<Score> {
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
