import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../../apps/console', import.meta.url))

/** Builds the console into a folder of its own (two seconds), or takes the one named by CONSOLE_DIST. */
export async function buildConsole(): Promise<string> {
  if (process.env.CONSOLE_DIST) return process.env.CONSOLE_DIST
  const outDir = await mkdtemp(join(tmpdir(), 'outpost-console-'))
  await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'error', build: { outDir, emptyOutDir: true } })
  return outDir
}
