import { execFile } from 'node:child_process'
import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { migrationSource, modelSource, seedSource } from './new-area/database.ts'
import { places } from './new-area/places.ts'
import { linkMigrationSource, linkModelSource, pageSource, withLinks, withPage, withPageTest } from './new-area/public-page.ts'
import { approvalArea, approvalMigration, approvalModel, approvalResource, approvalTest } from './new-area/approval.ts'
import { remoteAreaSource, remoteResourceSource, remoteTestSource } from './new-area/remote.ts'
import { areaSource, indexSource, resourceSource, rulesSource, testSource } from './new-area/server.ts'
import { boardArea, boardMigration, boardModel, boardResource, boardRules, boardTest, statusSource } from './new-area/board.ts'
import { readNames, type AreaNames } from './new-area/names.ts'

type Change = (text: string, words: AreaNames) => string

/** All files of a new area, by path. `migration` is the name of its migration's folder. */
export function areaFiles(words: AreaNames, migration: string): Record<string, string> {
  const { area, one } = words
  const folder = `apps/server/src/areas/${area}`
  if (words.kind === 'remote') return remoteFiles(words, folder)
  const plain = plainFiles(words, migration, folder)
  const [model, table] = [`prisma/models/${area}.prisma`, `prisma/migrations/${migration}/migration.sql`]
  const [resource, calls, test] = [`${folder}/${one}.resource.ts`, `${folder}/${area}.area.ts`, `tests/api/${area}.test.ts`]
  const changes: Record<string, Change> = {
    plain: {},
    public: {
      [model]: (text: string) => text + linkModelSource(words),
      [table]: (text: string) => text + linkMigrationSource(words),
      [resource]: withLinks,
      [calls]: withPage,
      [test]: withPageTest,
      [`${folder}/${one}.page.ts`]: () => pageSource(words),
    },
    approval: {
      [model]: approvalModel,
      [table]: approvalMigration,
      [resource]: approvalResource,
      [calls]: approvalArea,
      [test]: approvalTest,
    },
    board: {
      [model]: boardModel,
      [table]: boardMigration,
      [resource]: boardResource,
      [calls]: boardArea,
      [test]: boardTest,
      [`${folder}/${one}.rules.ts`]: boardRules,
      [`${folder}/${one}Status.resource.ts`]: () => statusSource(words),
    },
  }[words.kind]
  return { ...plain, ...Object.fromEntries(Object.entries(changes).map(([path, change]) => [path, change(plain[path] ?? '', words)])) }
}

function remoteFiles(words: AreaNames, folder: string): Record<string, string> {
  return {
    [`${folder}/${words.one}.resource.ts`]: remoteResourceSource(words),
    [`${folder}/${words.area}.area.ts`]: remoteAreaSource(words),
    [`${folder}/index.ts`]: indexSource(words),
    [`tests/api/${words.area}.test.ts`]: remoteTestSource(words),
  }
}

function plainFiles(words: AreaNames, migration: string, folder: string): Record<string, string> {
  const { area, one } = words
  return {
    [`prisma/models/${area}.prisma`]: modelSource(words),
    [`prisma/migrations/${migration}/migration.sql`]: migrationSource(words),
    [`prisma/seed/${area}.ts`]: seedSource(words),
    [`${folder}/${one}.resource.ts`]: resourceSource(words),
    [`${folder}/${one}.rules.ts`]: rulesSource(words),
    [`${folder}/${area}.area.ts`]: areaSource(words),
    [`${folder}/index.ts`]: indexSource(words),
    [`tests/api/${area}.test.ts`]: testSource(words),
  }
}

const nextSteps = ({ area, one, kind, calls }: AreaNames) =>
  kind === 'remote'
    ? `Next:
  1. fields, filters and what the service sorts by in ${one}.resource.ts (its calls: ${calls}.* in packages/contract/src/geo/calls.ts)
  2. what the service refuses in tests/api/${area}.test.ts, which fails until then
  3. npm test -- ${area}, then look at it: npm start`
    : `Next:
  1. what it is: columns in prisma/models/${area}.prisma and its migration, fields, list and form in ${one}.resource.ts
  2. its first rule in ${one}.rules.ts, and what that refuses in tests/api/${area}.test.ts, which fails until then
  3. its place in the menu and its calls in ${area}.area.ts (npm run routes, npm run screens); who may make further ones: WRITE_MATRIX=1 npm test -- ${area}
  4. npm run generate, then npm test -- ${area}; its words in French: npm test names those that fr.json and told/fr.json of apps/console/src/languages lack
  5. look at it: npm start`

async function main(args: readonly string[]): Promise<void> {
  const words = readNames(args)
  const root = resolve(import.meta.dirname, '..')
  const files = areaFiles(words, await migrationName(root, words))
  for (const path of Object.keys(files)) {
    if (
      await access(join(root, path)).then(
        () => true,
        () => false,
      )
    )
      throw new Error(`${path} exists already: nothing was written`)
  }
  const changed = await Promise.all(
    Object.entries(places).map(async ([path, change]) => [path, change(await readFile(join(root, path), 'utf8'), words)] as const),
  )
  for (const [path, text] of [...Object.entries(files), ...changed]) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
    console.log(`${Object.hasOwn(files, path) ? 'made' : 'changed'} ${path}`)
  }
  await layOut(root, Object.keys({ ...files, ...places }))
  // In a process of its own: what is made from the areas is to know the new one.
  await promisify(execFile)(process.execPath, [join(root, 'scripts/generate.ts')], { cwd: root })
  console.log(nextSteps(words))
}

/** As `npm run format` lays out every file. */
async function layOut(root: string, paths: readonly string[]): Promise<void> {
  const sources = paths.filter((path) => path.endsWith('.ts'))
  await promisify(execFile)(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), ...sources], { cwd: root })
}

/** A migration's name that sorts after all existing ones. */
async function migrationName(root: string, { table }: AreaNames): Promise<string> {
  const numbers = (await readdir(join(root, 'prisma/migrations')))
    .map((name) => /^\d{14}/.exec(name)?.[0])
    .filter((number) => number !== undefined)
  return `${BigInt(numbers.toSorted().at(-1) ?? '20261125000000') + 100n}_${table}`
}

if (process.argv[1] === import.meta.filename) {
  await main(process.argv.slice(2)).catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
