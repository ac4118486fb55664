import { generate } from './generate.ts'
import { buildConsole } from './start/build-console.ts'
import { demoLogins } from './start/logins.ts'
import { openSeeded, startPrograms } from './start/outpost.ts'
import { trackerLines } from './start/trackers.ts'
import { readSettings, assertPortFree } from './start/settings.ts'
import { supervise, startAll } from './start/supervisor.ts'

/** Starts Outpost on this machine: database, demo data, console, server. Runs until a signal; restarts what ends by itself. */
supervise(async (supervisor) => {
  const settings = readSettings()
  await assertPortFree(settings)
  const generated = generate()
  const [database] = await startAll(openSeeded({ settings, supervisor }, generated), generated.then(buildConsole))
  if (supervisor.isEnding()) return
  const ready = await startPrograms({ settings, supervisor }, database)
  const logins = await demoLogins(database.url)
  console.log([`Outpost ready: ${ready.url}`, ...logins, ...trackerLines(ready)].join('\n'))
})
