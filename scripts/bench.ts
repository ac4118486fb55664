import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isMet, type Bench, type Figure } from '../tests/bench/support/figure.ts'
import { openHouse, type House } from '../tests/bench/support/house.ts'
import { generate } from './generate.ts'
import { buildConsole } from './start/build-console.ts'
import { supervise } from './start/supervisor.ts'

const folder = resolve(import.meta.dirname, '../tests/bench')
const { values } = parseArgs({ options: { only: { type: 'string' } } })

/**
 * Measures what the project promises, one benchmark after another; prints a table and writes JSON under tests/bench/out. BENCH_ROWS
 * limits the size of the tables.
 */
supervise(async (supervisor) => {
  await generate()
  await buildConsole()
  const benches = await loadBenches()
  const house = await openHouse()
  supervisor.add({ stop: house.close })
  const figures: Figure[] = []
  for (const bench of benches) if (!supervisor.isEnding()) figures.push(...(await run(bench, house)))
  await report(figures)
  void supervisor.end()
})

async function report(figures: readonly Figure[]): Promise<void> {
  const out = join(folder, 'out')
  await mkdir(out, { recursive: true })
  const date = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  await writeFile(
    join(out, `${date}.json`),
    JSON.stringify(
      figures.map((figure) => ({ ...figure, met: isMet(figure) })),
      null,
      2,
    ),
  )
  const table = figures.map((figure) => {
    const { name, value, unit, target = '', detail = '' } = figure
    return { name, value: `${value} ${unit}`, target, met: isMet(figure) ? 'yes' : 'NO', detail }
  })
  console.table(table)
}

/** Ordered by the rows they need, so that the table only grows. */
async function loadBenches(): Promise<Bench[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.bench.ts'))
  const all = await Promise.all(files.map(async (file) => ((await import(join(folder, file))) as { bench: Bench }).bench))
  const wanted = values.only?.split(',')
  return all.filter(({ name }) => !wanted || wanted.includes(name)).toSorted((a, b) => a.leads - b.leads)
}

async function run(bench: Bench, house: House): Promise<Figure[]> {
  const most = Number(process.env.BENCH_ROWS ?? Number.POSITIVE_INFINITY)
  await house.haveLeads(Math.min(bench.leads, most))
  console.log(`${bench.name} ...`)
  try {
    return await bench.run(house)
  } catch (error) {
    console.error(error)
    return [
      { name: bench.name, value: Number.NaN, unit: '', target: 'to run', detail: error instanceof Error ? error.message : String(error) },
    ]
  }
}
