import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { plantedSource, plants, type Plant } from './plants.ts'

const root = resolve(import.meta.dirname, '../..')
const copied = ['apps', 'packages', 'prisma', 'scripts', 'tests', 'package.json', 'tsconfig.json', 'vitest.config.ts', 'prisma.config.ts']

/** Plants each mistake in a copy of the project and runs the tests that must find it; one that they miss is a failure. */
export async function findPlants(): Promise<{ passed: number; failed: number }> {
  let found = 0
  for (const plant of plants) {
    const tries = await triesUntilFound(plant)
    console.log(`${tries === undefined ? 'MISSED' : `found by run ${tries}`}: ${plant.mistake} (${plant.tests})`)
    if (tries !== undefined) found += 1
  }
  return { passed: found, failed: plants.length - found }
}

async function triesUntilFound(plant: Plant): Promise<number | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-planted-'))
  try {
    await copyProject(folder)
    const file = join(folder, plant.file)
    await writeFile(file, plantedSource(await readFile(file, 'utf8'), plant))
    for (let run = 1; run <= plant.tries; run += 1) if (!(await passes(folder, plant, run))) return run
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Sources are copied, packages are linked; those of the project itself lead to the copy. */
async function copyProject(folder: string): Promise<void> {
  const present = await readdir(root)
  const filter = (from: string) => !['node_modules', 'dist'].includes(basename(from))
  for (const name of copied.filter((one) => present.includes(one)))
    await cp(join(root, name), join(folder, name), { recursive: true, filter })
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name === '@outpost')
      await cp(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
    else await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
}

/** True when the test passes. A failure of anything else finds nothing: it is shown. */
function passes(folder: string, { project, tests, title }: Plant, run: number): Promise<boolean> {
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', project, tests]
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', TEST_SIZE: 'daily', TEST_SEED: String(20_261_120 + run) }
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((done, refuse) => {
    child.once('error', refuse)
    child.once('close', (code) => {
      if (code === 0) done(true)
      else if (output.split('\n').some((line) => line.includes(' FAIL ') && line.includes(title))) done(false)
      else refuse(new Error(`${tests} failed, but not "${title}":\n${output.slice(-4_000)}`))
    })
  })
}
