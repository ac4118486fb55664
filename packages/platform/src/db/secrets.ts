import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const secretsSchema = z.object({
  /** Everything else is derived from it: role passwords, token keys. If it is lost, every session ends. */
  masterSecret: z.string().min(32),
  postgresPassword: z.string().min(16),
  postgresPort: z.number().int().optional(),
})

/** SECRETS_BEFORE: secrets with commas between them. */
export const formerSecrets = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()])))
  .refine((all) => all.every((one) => one.length >= 32), 'each must have at least 32 characters')

export type Secrets = z.infer<typeof secretsSchema>

const fileOf = (dataDir: string) => join(dataDir, 'secrets.json')

/** Reads the secrets of a local installation from <dataDir>/secrets.json (0600); creates them on first use. */
export async function readSecrets(dataDir: string): Promise<Secrets> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text !== undefined) return parseSecrets(dataDir, text)
  const made = { masterSecret: randomHex(), postgresPassword: randomHex() }
  await writeSecrets(dataDir, made)
  return made
}

/** Writes through a temporary file, so that a crash leaves the old secrets or the new ones, never half a file. */
export async function writeSecrets(dataDir: string, secrets: Secrets): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const temporary = `${fileOf(dataDir)}.${process.pid}`
  await writeFile(temporary, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  await chmod(temporary, 0o600)
  await rename(temporary, fileOf(dataDir))
}

function parseSecrets(dataDir: string, text: string): Secrets {
  try {
    return secretsSchema.parse(JSON.parse(text))
  } catch {
    throw new Error(`${fileOf(dataDir)} is not readable as secrets; restore it from a backup`)
  }
}

const randomHex = () => randomBytes(32).toString('hex')

/**
 * The reason to refuse a master secret in production: it is missing, appears in examples, or has too few different characters to be
 * random.
 */
export function refuseSecret(secret: string | undefined): string | undefined {
  if (secret === undefined) return 'is needed in production: one random text of 32 characters or more for all processes'
  const isDemo = new Set(secret).size < 10 || /demo|example|changeme|change-me|secret|password|outpost/i.test(secret)
  return isDemo ? 'is a demo secret: make a random one, e.g. with openssl rand -hex 32' : undefined
}
