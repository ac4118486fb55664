import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openHouse } from '../bench/support/house.ts'
import { buildConsole } from '../console/support/build.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where Outpost listens, with the demo group. */
    outpostUrl: string
    /** Superuser's address of its database, for looking behind the walls. */
    outpostDatabaseUrl: string
    /** Folder of the console that it serves: this run's own, which a test may change as a deploy does. */
    outpostConsole: string
  }
}

/** Vitest's global set-up: the real thing for all browser tests of a run, as `npm start` opens it, without rate limits. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-e2e-'))
  // Without the compressed forms: a test that changes a file as a deploy does changes one.
  await cp(await buildConsole(), folder, { recursive: true, filter: (file) => !/\.(br|gz)$/.test(file) })
  // Read by the server, which inherits it.
  process.env.CONSOLE_DIST = folder
  // Two browsers and this server share the processors: load is no fault here, tests/faults looks at what it says under pressure.
  process.env.PRESSURE_LAG = '0'
  process.env.DATABASE_PATIENCE = '30'
  const house = await openHouse({ filled: process.env.FILLED_HOUSE })
  project.provide('outpostUrl', house.url)
  project.provide('outpostDatabaseUrl', house.databaseUrl)
  project.provide('outpostConsole', folder)
  return async () => {
    await house.close()
    await rm(folder, { recursive: true, force: true })
  }
}
