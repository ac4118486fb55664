import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { builtIn, leftOut, neededBy, packagesIn, readLock, running, type Lock, type LockEntry } from './contents.ts'

const root = resolve(import.meta.dirname, '../..')

/**
 * Runs something in a folder with manifests and lock file of what is shipped: the packages that the image's programs run on and those built into the
 * console's files. With `--omit=dev` npm leaves out whatever a workspace lists for its tests too (npm 11: fastify, pg, react).
 */
export async function inShippedFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), 'outpost-shipped-'))
  // npm calls the program like its folder.
  const folder = join(scratch, 'outpost')
  try {
    for (const [name, content] of Object.entries(await shippedFrom(await readLock()))) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), JSON.stringify(content))
    }
    return await run(folder)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Manifests and lock file of what is shipped, by file name: the lock file without packages for building and testing. */
async function shippedFrom(lock: Lock): Promise<Record<string, object>> {
  const workspaces = [...running, ...builtIn]
  const { overrides } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { overrides?: Record<string, unknown> }
  const { version = '0.0.0' } = lock.packages[''] ?? {}
  const own = Object.fromEntries(Object.entries(overrides ?? {}).filter(([, value]) => typeof value === 'string'))
  const manifest = { name: 'outpost', version, license: 'Apache-2.0', workspaces, overrides: own }
  const links = Object.entries(lock.packages).filter(([, { link, resolved = '' }]) => link === true && workspaces.includes(resolved))
  const packages = Object.fromEntries([
    ['', manifest],
    ...links,
    ...[...workspaces, ...neededBy(lock, workspaces)].map((path) => [path, shipped(path, lock.packages[path])] as const),
  ]) as Record<string, object>
  const whole = { name: 'outpost', version, lockfileVersion: 3, requires: true, packages }
  const manifests = workspaces.map((path) => [`${path}/package.json`, packages[path] ?? {}] as const)
  return { 'package.json': manifest, 'package-lock.json': whole, ...Object.fromEntries(manifests) }
}

/** What the Dockerfile removes nobody needs: the packages that ask for it work without. What is built in is shipped, though no program depends on it. */
function shipped(path: string, package_: LockEntry = {}): object {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = package_
  return {
    ...package_,
    dependencies: kept({ ...(builtIn.includes(path) ? packagesIn(package_) : {}), ...dependencies }),
    optionalDependencies: kept(optionalDependencies),
    peerDependencies: kept(peerDependencies),
    devDependencies: undefined,
    dev: undefined,
  }
}
const kept = (names: Record<string, string>) =>
  Object.fromEntries(Object.entries(names).filter(([name]) => !leftOut.some((one) => `node_modules/${name}`.startsWith(one))))
