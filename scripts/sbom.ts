import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { builtIn, leftOut, neededBy, readLock, running, type Lock, type LockEntry } from './image/contents.ts'

const root = resolve(import.meta.dirname, '..')

/** The formats that npm writes: CycloneDX 1.5 and SPDX 2.3, as JSON. */
export const sbomFormats = ['cyclonedx', 'spdx'] as const
export type SbomFormat = (typeof sbomFormats)[number]

/**
 * What the image is made of: the packages its programs run on and those built into the console's files, by name, version, licence and checksum. `npm sbom`,
 * a part of npm, writes the document from the lock file and asks no registry. It is given a lock file of these packages alone: with `--omit=dev` it leaves
 * out whatever a workspace lists for its tests too (npm 11: fastify, pg, react).
 */
export async function sbomOf(format: SbomFormat): Promise<unknown> {
  const scratch = await mkdtemp(join(tmpdir(), 'outpost-sbom-'))
  // npm calls the program like its folder.
  const folder = join(scratch, 'outpost')
  try {
    for (const [name, content] of Object.entries(await shippedFrom(await readLock()))) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), JSON.stringify(content))
    }
    const args = ['sbom', '--package-lock-only', '--sbom-format', format, '--sbom-type', 'application']
    const { stdout } = await promisify(execFile)('npm', args, { cwd: folder, maxBuffer: 100_000_000 })
    return JSON.parse(stdout) as unknown
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
    ...[...workspaces, ...neededBy(lock, workspaces)].map((path) => [path, shipped(lock.packages[path])] as const),
  ]) as Record<string, object>
  const whole = { name: 'outpost', version, lockfileVersion: 3, requires: true, packages }
  const manifests = workspaces.map((path) => [`${path}/package.json`, packages[path] ?? {}] as const)
  return { 'package.json': manifest, 'package-lock.json': whole, ...Object.fromEntries(manifests) }
}

/** What the Dockerfile removes nobody needs: the packages that ask for it work without. */
function shipped(package_: LockEntry = {}): object {
  const { dependencies = {}, peerDependencies = {} } = package_
  return {
    ...package_,
    dependencies: kept(dependencies),
    peerDependencies: kept(peerDependencies),
    devDependencies: undefined,
    dev: undefined,
  }
}
const kept = (names: Record<string, string>) =>
  Object.fromEntries(Object.entries(names).filter(([name]) => !leftOut.some((one) => `node_modules/${name}`.startsWith(one))))

/** Writes `outpost.cyclonedx.json` and `outpost.spdx.json` into a folder; gives their paths. */
export async function writeSboms(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  return Promise.all(
    sbomFormats.map(async (format) => {
      const file = join(folder, `outpost.${format}.json`)
      await writeFile(file, `${JSON.stringify(await sbomOf(format), null, 2)}\n`)
      return file
    }),
  )
}

if (import.meta.main) for (const file of await writeSboms(resolve(process.argv[2] ?? 'sbom'))) console.log(file)
