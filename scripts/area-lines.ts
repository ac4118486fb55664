import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { tmpdir } from 'node:os'
import { parseArgs, promisify } from 'node:util'
import type { Area } from '../apps/server/src/kernel/types.ts'

/**
 * npm run lines: what an area takes in lines of code a call. Lines: those of the area's TypeScript under apps/server/src/areas that are
 * neither blank nor comment, tests apart, after today's formatter has laid them out. Calls: what the server mounts of the area, so that helpers which give
 * several calls count as many. `--against <checkout>` (with its packages and generated code in place) prints another commit beside it.
 */
interface AreaLines {
  lines: number
  /** Of these, the ones of `*.answers.ts`: what answers hold, for the API document and the typed client. */
  answers: number
  calls: number
}

const root = resolve(import.meta.dirname, '..')

/** Lines of a source that are neither blank nor comment. */
export function codeLines(source: string): number {
  return source
    .replace(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length
}

/** Calls that the server of a checkout mounts, by area. */
async function callsOf(checkout: string): Promise<Record<string, number>> {
  const { declaredAreas } = (await import(join(checkout, 'scripts/areas.ts'))) as { declaredAreas: () => Promise<Area[]> }
  return Object.fromEntries((await declaredAreas()).map(({ name, routes }) => [name, routes.length]))
}

/** Lines of code by the folder of the area, each file laid out by our formatter. */
async function linesOf(checkout: string): Promise<Map<string, AreaLines>> {
  const scratch = await mkdtemp(join(tmpdir(), 'area-lines-'))
  try {
    await cp(join(checkout, 'apps/server/src/areas'), scratch, { recursive: true })
    await cp(join(root, '.oxfmtrc.json'), join(scratch, '.oxfmtrc.json'))
    await promisify(execFile)(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), '.'], { cwd: scratch })
    const areas = new Map<string, AreaLines>()
    for (const path of await readdir(scratch, { recursive: true })) {
      const [folder = '', ...rest] = path.split('/')
      if (rest.length === 0 || !path.endsWith('.ts') || path.endsWith('.test.ts')) continue
      const area = areas.get(folder) ?? { lines: 0, answers: 0, calls: 0 }
      const count = codeLines(await readFile(join(scratch, path), 'utf8'))
      areas.set(folder, { ...area, lines: area.lines + count, answers: area.answers + (/\banswers\.ts$/.test(path) ? count : 0) })
    }
    return areas
  } finally {
    await rm(scratch, { recursive: true })
  }
}

/** Areas that are called otherwise than their folder, or share the folder of another. */
const folders: Readonly<Record<string, string>> = {
  clientGroups: 'clients',
  phoneBook: 'clients',
  moneyStatements: 'statements',
}
const kebab = (area: string) => area.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Lines and calls of each folder of areas; the kernel's own calls are none of theirs. */
export async function areaLines(checkout: string): Promise<Map<string, AreaLines>> {
  const [calls, result] = [await callsOf(checkout), await linesOf(checkout)]
  for (const [area, count] of Object.entries(calls)) {
    const found = result.get(folders[area] ?? kebab(area))
    if (found) found.calls += count
  }
  return result
}

const rate = ({ lines, calls }: AreaLines) => (calls > 0 ? (lines / calls).toFixed(0) : '-')
const cells = (area: AreaLines | undefined) => (area ? [area.lines, area.answers, area.calls, rate(area)] : ['-', '-', '-', '-'])
const row = (name: string, ...values: (string | number)[]) => name.padEnd(20) + values.map((value) => String(value).padStart(9)).join('')
const heads = ['lines', 'answers', 'calls', 'a call']
const sum = (areas: ReadonlyMap<string, AreaLines>): AreaLines => {
  const of = (key: keyof AreaLines) => [...areas.values()].reduce((all, area) => all + area[key], 0)
  return { lines: of('lines'), answers: of('answers'), calls: of('calls') }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { against: { type: 'string' } } })
  const now = await areaLines(root)
  const then = values.against === undefined ? undefined : await areaLines(resolve(values.against))
  console.log(row('area', ...heads, ...(then ? heads : [])), then ? '(the last four: the other checkout)' : '')
  const largestFirst = [...now].toSorted(([, a], [, b]) => b.lines / (b.calls || 1) - a.lines / (a.calls || 1))
  for (const [folder, area] of largestFirst) console.log(row(folder, ...cells(area), ...(then ? cells(then.get(folder)) : [])))
  console.log(row('all', ...cells(sum(now)), ...(then ? cells(sum(then)) : [])))
}

if (process.argv[1] === import.meta.filename) {
  await main()
  process.exit()
}
