import { copyFile, cp, link, mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { neededBy, readLock, running } from './contents.ts'
import { isUnneeded } from './prune.ts'
import { copied } from './size.ts'

const root = resolve(import.meta.dirname, '../..')

/** Lays into a folder what the last stage of the Dockerfile holds, to try it without Docker: our files, and the packages that run, by hard links. */
export async function layImage(folder: string): Promise<void> {
  const lock = await readLock()
  const isOurs = (path: string) => !/(?:^|\/)(?:node_modules|\.data)(?:\/|$)/.test(relative(root, path))
  for (const path of copied) await cp(join(root, path), join(folder, path), { recursive: true, filter: isOurs })
  for (const path of neededBy(lock, running)) await linkPackage(path, folder)
  for (const [path, { link: isLink, resolved = '' }] of Object.entries(lock.packages))
    if (isLink === true && running.includes(resolved)) await cp(join(root, path), join(folder, path), { verbatimSymlinks: true })
}

/** One package without those within it, which come by themselves; one for another system is not there. */
async function linkPackage(path: string, folder: string): Promise<void> {
  const from = join(root, path)
  const entries = await readdir(from, { withFileTypes: true, recursive: true }).catch(() => [])
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(from, join(entry.parentPath, entry.name)))
    .filter((file) => !file.split('/').includes('node_modules') && !isUnneeded(join(path, file)))
  const folders = new Set(files.map((file) => dirname(join(folder, path, file))))
  for (const one of folders) await mkdir(one, { recursive: true })
  for (const file of files) await linkOrCopy(join(from, file), join(folder, path, file))
}

/** Another disk takes a copy. */
const linkOrCopy = (from: string, to: string) => link(from, to).catch(() => copyFile(from, to))
