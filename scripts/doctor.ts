import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readSecrets } from '@outpost/platform/db/secrets'
import { readServerEnv } from '../apps/server/src/env.ts'
import { parsePorts } from '../apps/geo/src/ingest/listen/ports.ts'
import { readBackupSettings } from './backup/settings.ts'
import { databaseChecks } from './doctor/database.ts'
import { reasonOf, wrong, type Check, type Finding } from './doctor/finding.ts'
import { checkBackups, checkCertificate, checkDevicePorts, checkDisc, checkMail, checkProgram, checkRedis } from './doctor/surroundings.ts'

type Source = Record<string, string | undefined>

/** All checks of an installation by its settings; throws what is wrong with the settings themselves. */
export async function checksOf(source: Source): Promise<Check[]> {
  const local = await localSettings(source)
  const env = await readServerEnv({ ...local, ...source })
  const backups = readBackupSettings({ ...source, DATABASE_URL: undefined })
  const isProduction = env.NODE_ENV === 'production'
  const { ports } = parsePorts(source['DEVICE_PORTS'] ?? '')
  return [
    ...databaseChecks({ url: env.DATABASE_URL, secret: env.ACCESS_SECRET }),
    { name: 'Redis', run: () => checkRedis(env.REDIS_URL) },
    { name: 'Disc', run: () => checkDisc(env.DATA_DIR) },
    { name: 'Server', run: () => checkProgram('the server', env.PUBLIC_URL) },
    // On one machine `npm start` gives it an address and watches over it.
    ...(local ? [] : [{ name: 'Geo service', run: () => checkProgram('the geo service', env.GEO_URL) }]),
    { name: 'Device ports', run: () => checkDevicePorts(ports, source['DEVICE_HOST'] ?? '127.0.0.1') },
    { name: 'Certificate', run: () => checkCertificate(env.PUBLIC_URL, isProduction) },
    { name: 'Mail', run: () => checkMail(env.SMTP_URL, isProduction) },
    { name: 'Backups', run: () => checkBackups(backups) },
  ]
}

/** A machine without settings has its Postgres under DATA_DIR. */
async function localSettings({ DATABASE_URL, DATABASE_URL_FILE, DATA_DIR = '.data' }: Source): Promise<Source | undefined> {
  if (DATABASE_URL || DATABASE_URL_FILE) return undefined
  const folder = resolve(import.meta.dirname, '..', DATA_DIR)
  // Reading secrets that are not there would make some.
  if (!existsSync(join(folder, 'secrets.json')))
    throw new Error(`DATABASE_URL: is not set, and ${folder} holds no Outpost: run \`npm start\``)
  const { postgresPort } = await readSecrets(folder)
  return postgresPort === undefined ? undefined : { DATABASE_URL: `postgres://127.0.0.1:${postgresPort}/outpost` }
}

/** Runs the checks one after the other; a check that fails itself has found something wrong. */
export async function examine(checks: readonly Check[]): Promise<{ name: string; findings: Finding[] }[]> {
  const results: { name: string; findings: Finding[] }[] = []
  for (const { name, run } of checks) {
    const found = await run().catch((error: unknown) => wrong(reasonOf(error)))
    results.push({ name, findings: [found].flat() })
  }
  return results
}

const marks = { ok: 'ok     ', warning: 'warning', wrong: 'WRONG  ' }

/** Checks an installation and says in words what is wrong; ends with 1 when something is. */
async function main(): Promise<void> {
  const results = await examine(await checksOf(process.env))
  for (const { name, findings } of results) for (const { level, words } of findings) console.log(`${marks[level]}  ${name}: ${words}`)
  const count = (level: Finding['level']) => results.flatMap(({ findings }) => findings).filter((one) => one.level === level).length
  console.log(`${count('wrong')} wrong, ${count('warning')} warnings`)
  if (count('wrong') > 0) process.exitCode = 1
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
}
