import type { ConsoleLayout } from '@outpost/contract/console'
import { keepFirstReads } from '../../data/first-reads.ts'
import { hasEarlyReads } from '../../session/early.ts'
import { lazily } from '../../view/lazily.tsx'

/** Loaded with the first screen behind the sign-in. */
export const StandardLayout = lazily(async () => (await import('./StandardLayout.tsx')).StandardLayout)
export const ScreenHost = lazily(async () => (await import('./ScreenHost.tsx')).ScreenHost)

/** For so long the layout waits for what it surrounds, where that is on its way. */
const patienceMs = 150

/** Loads what is drawn around every screen, and asks for the screen at this address meanwhile. */
export async function prepareFirstScreen(layout: ConsoleLayout): Promise<void> {
  const [{ fetchFirstScreen }] = await Promise.all([import('./first-screen.ts'), StandardLayout.load(), ScreenHost.load()])
  const isAskedFor = hasEarlyReads()
  const first = fetchFirstScreen(layout)
    .catch(() => undefined)
    // Of somebody who is impersonated nothing stays on the device.
    .finally(() => {
      if (!layout.impersonation) keepFirstReads()
    })
  // What was asked for with the layout comes with it: drawn in one, it does not wait for React's pause of 300 ms after an outline.
  if (isAskedFor) await Promise.race([first, new Promise((done) => setTimeout(done, patienceMs))])
}
