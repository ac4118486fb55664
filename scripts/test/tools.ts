import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs that the tests drive and npm cannot bring: how they are called, and the Debian package that has them. */
const tools = [
  { names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'], debian: 'chromium' },
  { names: ['redis-server'], debian: 'redis-server' },
] as const

/** Finds the tools, or installs them when we may (root on Debian). Throws one sentence that says what to install. */
export function ensureTools(): void {
  const missing = () => tools.filter(({ names }) => !names.some(isOnPath)).map(({ debian }) => debian)
  const wanted = missing()
  if (wanted.length === 0) return
  if (process.getuid?.() === 0 && isOnPath('apt-get')) install(wanted)
  const left = missing()
  if (left.length > 0) throw new Error(`The tests need ${left.join(' and ')}: install them (on Debian: apt-get install ${left.join(' ')})`)
}

function install(packages: readonly string[]): void {
  console.log(`Installing ${packages.join(', ')} ...`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update', '-qq'], ['install', '-y', '-qq', '--no-install-recommends', ...packages]]) {
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  }
}

function isOnPath(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
