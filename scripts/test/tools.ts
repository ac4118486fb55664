import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Chromium without windows: renders the same pages with a quarter less work. Used where it can be installed at once; otherwise silently
 * skipped.
 */
const lighter = 'chromium-headless-shell'

/** Programs that the tests need and npm cannot provide: their names, and the Debian package that has them. */
const tools = [
  { names: [lighter, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'], debian: 'chromium', isNeeded: true },
  { names: ['redis-server'], debian: 'redis-server', isNeeded: true },
  // By day the run does without where it cannot be installed: it then takes place at the machine's own time.
  { names: ['faketime'], debian: 'faketime', isNeeded: false },
] as const

/** Finds the tools, or installs them when allowed (root on Debian). Throws one sentence that names what to install. */
export function ensureTools({ isNightly }: { isNightly: boolean }): void {
  const missing = () => tools.filter(({ names }) => !names.some(isOnPath))
  const mayInstall = process.getuid?.() === 0 && isOnPath('apt-get')
  const wanted = missing()
  if (wanted.length > 0 && mayInstall) install(wanted.map(({ debian }) => debian))
  if (!isOnPath(lighter) && mayInstall) tryLighter()
  const left = missing()
    .filter(({ isNeeded }) => isNeeded || isNightly)
    .map(({ debian }) => debian)
  if (left.length > 0) throw new Error(`The tests need ${left.join(' and ')}: install them (on Debian: apt-get install ${left.join(' ')})`)
}

function tryLighter(): void {
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', lighter], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: 'ignore',
    timeout: 60_000,
  })
}

function install(packages: readonly string[]): void {
  console.log(`Installing ${packages.join(', ')} ...`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
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
