import { readdir, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'

/** Of packages: what serves editors and debuggers alone, and Prisma's compilers for other databases than Postgres. */
const unneeded: readonly RegExp[] = [
  /\.map$/,
  /\.d\.[cm]?ts$/,
  /(?:^|\/)@prisma\/client\/runtime\/query_compiler_(?!fast_bg\.postgresql\.)/,
  /(?:^|\/)@prisma\/client\/(?:generator-build|scripts)\//,
]

/** Whether the image does without this file of a package; its path from node_modules on. */
export const isUnneeded = (path: string): boolean => unneeded.some((pattern) => pattern.test(path))

/** Removes from a folder's node_modules, and those within, what the image does without. */
export async function prune(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile() && entry.parentPath.includes('node_modules')) {
      const path = join(entry.parentPath, entry.name)
      if (isUnneeded(relative(folder, path))) await rm(path)
    }
}

if (import.meta.main) for (const folder of process.argv.slice(2)) await prune(resolve(folder))
