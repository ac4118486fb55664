import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { tmpdir } from 'node:os'
import { parseArgs, promisify } from 'node:util'

/**
 * npm run lines: what an area takes in lines of code a call. Lines: those of the area's TypeScript under apps/server/src/areas that are
 * neither blank nor comment, tests apart, after today's formatter has laid them out. Calls: what the server mounts of the area, so that helpers which give
 * several calls count as many. `--against <checkout>` (with its packages and generated code in place) prints another commit beside it.
 */
interface AreaLines {
  lines: number
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
  const { declaredAreas } = (await import(join(checkout, 'scripts/areas.ts'))) as typeof import('./areas.ts')
  return Object.fromEntries((await declaredAreas()).map(({ name, routes }) => [name, routes.length]))
}

/** Lines of code by the folder of the area, each file laid out by our formatter. */
async function linesOf(checkout: string): Promise<Record<string, number>> {
  const scratch = await mkdtemp(join(tmpdir(), 'area-lines-'))
  try {
    await cp(join(checkout, 'apps/server/src/areas'), scratch, { recursive: true })
    await cp(join(root, '.oxfmtrc.json'), join(scratch, '.oxfmtrc.json'))
    await promisify(execFile)(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), '.'], { cwd: scratch })
    const lines: Record<string, number> = {}
    for (const path of await readdir(scratch, { recursive: true })) {
      const [folder = '', ...rest] = path.split('/')
      if (rest.length === 0 || !path.endsWith('.ts') || path.endsWith('.test.ts')) continue
      lines[folder] = (lines[folder] ?? 0) + codeLines(await readFile(join(scratch, path), 'utf8'))
    }
    return lines
  } finally {
    await rm(scratch, { recursive: true })
  }
}

/** Areas that are called otherwise than their folder, or share the folder of another. */
const folders: Readonly<Record<string, string>> = {
  clientGroups: 'clients',
  phoneBook: 'clients',
  relocations: 'transfers',
  moneyStatements: 'statements',
}
const kebab = (area: string) => area.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Lines and calls of each folder of areas; the kernel's own calls are none of theirs. */
export async function areaLines(checkout: string): Promise<Map<string, AreaLines>> {
  const [calls, lines] = [await callsOf(checkout), await linesOf(checkout)]
  const result = new Map(Object.entries(lines).map(([folder, count]) => [folder, { lines: count, calls: 0 }]))
  for (const [area, count] of Object.entries(calls)) {
    const found = result.get(folders[area] ?? kebab(area))
    if (found) found.calls += count
  }
  return result
}

const rate = (area: AreaLines | undefined) => (area && area.calls > 0 ? (area.lines / area.calls).toFixed(0) : '-')
const row = (...cells: (string | number)[]) =>
  cells.map((cell, index) => (index === 0 ? String(cell).padEnd(20) : String(cell).padStart(9))).join('')

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { against: { type: 'string' } } })
  const now = await areaLines(root)
  const then = values.against === undefined ? undefined : await areaLines(resolve(values.against))
  console.log(row('area', 'lines', 'calls', 'a call', ...(then ? ['lines', 'calls', 'a call there'] : [])))
  for (const [folder, area] of [...now].toSorted(([, a], [, b]) => b.lines / (b.calls || 1) - a.lines / (a.calls || 1))) {
    const before = then?.get(folder)
    console.log(
      row(folder, area.lines, area.calls, rate(area), ...(then ? [before?.lines ?? '-', before?.calls ?? '-', rate(before)] : [])),
    )
  }
  const sum = (areas: Map<string, AreaLines>) =>
    [...areas.values()].reduce((all, { lines, calls }) => ({ lines: all.lines + lines, calls: all.calls + calls }), { lines: 0, calls: 0 })
  const [all, before] = [sum(now), then && sum(then)]
  console.log(row('all', all.lines, all.calls, rate(all), ...(before ? [before.lines, before.calls, rate(before)] : [])))
}

if (process.argv[1] === import.meta.filename) {
  await main()
  process.exit()
}
