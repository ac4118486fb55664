import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { tablesSource } from './tables.ts'

const root = resolve(import.meta.dirname, '..')
const schemaDir = join(root, 'prisma')
const output = join(root, 'packages/platform/generated/prisma')
const stamp = join(output, '.stamp')

/** Generates Prisma's client from prisma/ when it is outdated. Returns whether it did. */
export async function generate(): Promise<boolean> {
  const wanted = await fingerprint()
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return false
  await rm(output, { recursive: true, force: true })
  const cli = join(root, 'node_modules/prisma/build/index.js')
  await promisify(execFile)(process.execPath, [cli, 'generate', '--schema', schemaDir], {
    cwd: root,
    // Without a named engine, generate would download one that it does not use.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', PRISMA_HIDE_UPDATE_MESSAGE: '1' },
  })
  await mkdir(output, { recursive: true })
  await writeFile(join(output, '../tables.ts'), tablesSource(await readModels()))
  await writeFile(stamp, wanted)
  return true
}

async function readModels(): Promise<string> {
  const names = (await readdir(join(schemaDir, 'models'))).sort()
  return (await Promise.all(names.map((name) => readFile(join(schemaDir, 'models', name), 'utf8')))).join('\n')
}

async function fingerprint(): Promise<string> {
  const names = (await readdir(schemaDir, { recursive: true })).filter((name) => name.endsWith('.prisma')).sort()
  const hash = createHash('sha256')
  for (const name of ['../node_modules/prisma/package.json', '../scripts/tables.ts', ...names]) {
    hash.update(name).update(await readFile(join(schemaDir, name)))
  }
  return hash.digest('hex')
}

if (process.argv[1] === import.meta.filename) {
  console.log((await generate()) ? 'Prisma client generated' : 'Prisma client is up to date')
  // Only now: the areas read what was generated.
  const { writeKeptKinds } = await import('./kept-kinds.ts')
  await writeKeptKinds()
}
