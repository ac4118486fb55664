import { lstat, readdir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { isUnneeded } from './prune.ts'
import { neededBy, readLock, running, type LockEntry } from './contents.ts'

const root = resolve(import.meta.dirname, '../..')

/** What the Dockerfile's last stage takes from the build beside packages. */
export const copied = [
  'prisma',
  'scripts',
  'packages',
  'apps/geo',
  'apps/server',
  'apps/console/dist',
  'LICENSE',
  'NOTICE.md',
  'package.json',
  'package-lock.json',
]

export interface ImageSize {
  /** Bytes of packages that `npm ci --omit=dev` installs there. */
  packages: number
  /** Bytes of our own files and the built console. */
  own: number
  /** The largest packages, in bytes. */
  largest: [name: string, bytes: number][]
}

/**
 * Bytes of the image without its base, unpacked, added up without Docker: what its last stage holds, as it lies here. Packages for other systems than this
 * one are not installed and not counted, as there.
 */
export async function imageSize(): Promise<ImageSize> {
  const lock = await readLock()
  const paths = neededBy(lock, running).filter((path) => isForThisSystem(lock.packages[path]))
  const sizes = await Promise.all(paths.map(async (path): Promise<[string, number]> => [path, await bytesOf(join(root, path), true)]))
  const own = await Promise.all(copied.map((path) => bytesOf(join(root, path), true)))
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0)
  return {
    packages: sum(sizes.map(([, bytes]) => bytes)),
    own: sum(own),
    largest: sizes.toSorted(([, a], [, b]) => b - a).slice(0, 10),
  }
}

function isForThisSystem({ os, cpu, libc }: LockEntry = {}): boolean {
  const fits = (allowed: string[] | undefined, name: string) => allowed === undefined || allowed.includes(name)
  return fits(os, process.platform) && fits(cpu, process.arch) && (libc === undefined || libc.includes('glibc'))
}

/** Of a file or folder; packages within (node_modules) are counted by themselves. What is not there takes nothing. */
async function bytesOf(path: string, isTop = false): Promise<number> {
  const about = await lstat(path).catch(() => undefined)
  if (!about) return 0
  if (!about.isDirectory()) return about.isFile() && !(path.includes('node_modules') && isUnneeded(relative(root, path))) ? about.size : 0
  const names = (await readdir(path)).filter((name) => name !== 'node_modules' && (isTop || name !== '.data'))
  const sizes = await Promise.all(names.map((name) => bytesOf(join(path, name))))
  return sizes.reduce((total, one) => total + one, 0)
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

if (import.meta.main) {
  const { packages, own, largest } = await imageSize()
  console.log(`image without its base: ${megabytes(packages + own)} (packages ${megabytes(packages)}, ours ${megabytes(own)})`)
  for (const [name, bytes] of largest) console.log(`  ${name} ${megabytes(bytes)}`)
}
