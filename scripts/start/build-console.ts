import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { precompress } from './precompress.ts'

const root = resolve(import.meta.dirname, '../..')
const app = join(root, 'apps/console')
const stamp = join(root, 'node_modules/.cache/outpost/console.stamp')
const sources = [
  'apps/console',
  'packages/contract/src',
  'packages/rules/src',
  'packages/client/src',
  'packages/client/generated/routes.ts',
  'package-lock.json',
]
const skipped = new Set(['node_modules', 'dist', 'dev-dist'])

/** Builds the console into apps/console/dist when one of its sources has changed. */
export async function buildConsole(): Promise<void> {
  const wanted = await fingerprint()
  const isBuilt = await stat(join(app, 'dist/index.html')).then(
    () => true,
    () => false,
  )
  if (isBuilt && (await readFile(stamp, 'utf8').catch(() => '')) === wanted) return
  console.log('Building the console ...')
  await runVite()
  await precompress(join(app, 'dist'))
  await mkdir(dirname(stamp), { recursive: true })
  await writeFile(stamp, wanted)
}

async function runVite(): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  // Under another NODE_ENV (a test that starts the product) Vite would take React's development build.
  const env = { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: '0' }
  const build = promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: app, env, maxBuffer: 64 << 20 })
  await build.catch((error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`The console does not build:\n${error.stderr || error.stdout || error.message}`)
  })
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of await filesOf(join(root, source))) hash.update(file.slice(root.length)).update(await readFile(file))
  }
  return hash.digest('hex')
}

async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = (await readdir(path, { withFileTypes: true })).filter(({ name }) => !skipped.has(name))
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return (await Promise.all(sorted.map(({ name }) => filesOf(join(path, name))))).flat()
}
