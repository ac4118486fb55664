import type { TestProject } from 'vitest/node'
import { openHouse } from '../bench/support/house.ts'
import { buildConsole } from '../console/support/build.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where Outpost listens, with the demo group. */
    outpostUrl: string
    /** Superuser's address of its database, for looking behind the walls. */
    outpostDatabaseUrl: string
  }
}

/** Vitest's global set-up: the real thing for all browser tests of a run, as `npm start` opens it, without rate limits. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Read by the server: a build of its own, or the one that `npm test` has just made.
  process.env.CONSOLE_DIST = await buildConsole()
  const house = await openHouse()
  project.provide('outpostUrl', house.url)
  project.provide('outpostDatabaseUrl', house.databaseUrl)
  return () => house.close()
}
