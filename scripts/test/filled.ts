import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSecrets, writeSecrets } from '@outpost/platform/db/secrets'
import { seedDemo } from '../../prisma/seed/seed.ts'
import { openDatabase } from '../start/database.ts'

let filling: Promise<string> | undefined

/**
 * Folder of an Outpost that is migrated, filled with the demo group and at rest, for the parts of the end-to-end tests to copy: to fill
 * one is more work than many of their files. Made once a run, it goes with it.
 */
export const filledHouse = (): Promise<string> => (filling ??= fill())

async function fill(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-filled-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const database = await openDatabase({ DATA_DIR: folder })
  try {
    await seedDemo(database)
  } finally {
    await database.stop()
  }
  // Copies that start at the same moment would all want the port of this one.
  const { masterSecret, postgresPassword } = await readSecrets(folder)
  await writeSecrets(folder, { masterSecret, postgresPassword })
  return folder
}
