import { rm } from 'node:fs/promises'
import { createAreas } from '../../../apps/server/src/areas/index.ts'
import { geoArea } from '../../../apps/server/src/areas/geo/index.ts'
import { buildConsole } from '../../console/support/build.ts'
import { launchBrowser } from '../../console/support/browser.ts'
import { openPerson, signInFor } from '../../support/browser.ts'
import { liveStack } from './live-stack.ts'

export type Dispatcher = Awaited<ReturnType<typeof openDispatcher>>

/** Server, geo service and console, with a dispatcher of the company who has opened `path` in a browser. */
export async function openDispatcher(path: string, { env = {}, timeZone }: { env?: Record<string, string>; timeZone?: string } = {}) {
  const folder = await buildConsole()
  const stack = await liveStack({
    timeZone,
    env: { CONSOLE_DIST: folder, ...env },
    choose: (machine, client) => [...createAreas(machine).filter(({ name }) => name !== 'geo'), geoArea(machine, client)],
  })
  const browser = await launchBrowser()
  const user = await stack.app.make.user({ company: stack.company, role: 'admin', firstName: 'Dina', lastName: 'Dispatcher' })
  const api = await stack.app.as(user)
  const person = await openPerson(browser, { url: stack.url, width: 1440, height: 900 })
  await signInFor(person, user.emailAddress, path)
  const close = async () => {
    await browser.close()
    await stack.close()
    if (!process.env.CONSOLE_DIST) await rm(folder, { recursive: true, force: true })
  }
  return { stack, browser, api, person, page: person.page, close }
}
