import { chmod, rename, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { formerSecrets, readSecrets } from '@outpost/platform/db/secrets'
import { readEnv } from '@outpost/platform/env'
import { geoKeysOf } from '@outpost/platform/geo-keys'
import { z } from 'zod'
import { deploySettings } from './start/deploy-secrets.ts'

const settings = z.object({
  SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  SECRETS_BEFORE: formerSecrets,
  DATA_DIR: z.string().default('.data'),
  TOKEN_KEY_GENERATION: z.coerce.number().int().min(1).default(1),
  REDIS_URL: z.string().optional(),
  GEO_SECRET: deploySettings.GEO_SECRET,
  ACCESS_SECRET: deploySettings.ACCESS_SECRET,
  /** Where `migrate` writes the keys; without it, nowhere. */
  GEO_KEYS_OUT: z.string().optional(),
})

/** Writes the keys of the geo service to the file of GEO_KEYS_OUT, where a deployment wants them. */
export async function writeGeoKeys({ secret }: { secret: string }): Promise<void> {
  const { GEO_KEYS_OUT: file, ...env } = readEnv(settings)
  if (file === undefined) return
  const text = geoKeysText(secret, env)
  await writeFile(`${file}.new`, text, { mode: 0o600 })
  await chmod(`${file}.new`, 0o600)
  await rename(`${file}.new`, file)
}

function geoKeysText(secret: string, env: Omit<z.infer<typeof settings>, 'GEO_KEYS_OUT'>): string {
  const { SECRETS_BEFORE: former, GEO_SECRET: geoSecret, ACCESS_SECRET: accessSecret, TOKEN_KEY_GENERATION: generation, REDIS_URL } = env
  return `${JSON.stringify(geoKeysOf({ secret, formerSecrets: former, accessSecret, geoSecret, generation, hasRedis: REDIS_URL !== undefined }))}\n`
}

/** Prints the value of GEO_KEYS for the settings of this machine (`npm run keys:geo`). */
async function main(): Promise<void> {
  const env = readEnv(settings)
  const secret = env.SECRET ?? (await readSecrets(resolve(import.meta.dirname, '..', env.DATA_DIR))).masterSecret
  process.stdout.write(geoKeysText(secret, env))
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
}
