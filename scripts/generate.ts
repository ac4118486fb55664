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
const clientStamp = join(root, 'packages/client/generated/.stamp')

/** Generates what is not kept in git, where it is outdated: Prisma's client and the typed client of the API. Returns what it generated. */
export async function generate(): Promise<string[]> {
  const made = { 'Prisma client': await generatePrisma(), 'API client': await generateClient() }
  return Object.entries(made).flatMap(([name, isNew]) => (isNew ? [name] : []))
}

async function generatePrisma(): Promise<boolean> {
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

/** In a process of its own: reading the declarations loads the whole server, which needs Prisma's client first. */
async function generateClient(): Promise<boolean> {
  const wanted = await clientFingerprint()
  if ((await readFile(clientStamp, 'utf8').catch(() => '')) === wanted) return false
  await promisify(execFile)(process.execPath, [join(root, 'scripts/client.ts')], { cwd: root })
  await writeFile(clientStamp, wanted)
  return true
}

async function clientFingerprint(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(stamp))
  for (const folder of ['apps/server/src', 'packages/contract/src', 'packages/rules/src', 'packages/platform/src']) {
    const names = (await readdir(join(root, folder), { recursive: true }))
      .filter((name) => name.endsWith('.ts') && !name.includes('.test'))
      .sort()
    const texts = await Promise.all(names.map((name) => readFile(join(root, folder, name))))
    for (const [index, text] of texts.entries()) hash.update(names[index] ?? '').update(text)
  }
  for (const name of ['scripts/client.ts', 'node_modules/openapi-typescript/package.json']) hash.update(await readFile(join(root, name)))
  return hash.digest('hex')
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
  console.log((await generate()).map((name) => `${name} generated`).join('\n') || 'Everything is up to date')
  // Only now: the areas read what was generated.
  const { writeKeptKinds } = await import('./kept-kinds.ts')
  const { writeGuardedParts } = await import('./guarded-parts.ts')
  await writeKeptKinds()
  await writeGuardedParts()
}
