import { resolve } from 'node:path'
import { createServer } from 'vite'
import { generate } from './generate.ts'
import { demoLogins } from './start/logins.ts'
import { openSeeded, startPrograms } from './start/outpost.ts'
import { readSettings, assertPortFree } from './start/settings.ts'
import { trackerLines } from './start/trackers.ts'
import { supervise } from './start/supervisor.ts'

/** For developers: restarts the server and reloads the console at every change. The console's port is CONSOLE_PORT, 5173 by default. */
supervise(async (supervisor) => {
  const settings = readSettings()
  await assertPortFree(settings)
  const run = { settings, supervisor, isWatched: true }
  const database = await openSeeded(run, generate())
  const ready = await startPrograms(run, database)
  process.env.OUTPOST_SERVER = ready.url
  const vite = await createServer({ root: resolve(import.meta.dirname, '../apps/console'), server: { port: settings.CONSOLE_PORT } })
  supervisor.add({ stop: () => vite.close() })
  await vite.listen()
  const logins = await demoLogins(database.url)
  console.log([`Outpost ready: ${vite.resolvedUrls?.local[0] ?? ''} (server ${ready.url})`, ...logins, ...trackerLines(ready)].join('\n'))
})
