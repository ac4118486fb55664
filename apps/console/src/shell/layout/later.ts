import type { ConsoleFrame } from '@outpost/contract/console'
import { keepFirstReads } from '../../data/first-reads.ts'
import { lazily } from '../../view/lazily.tsx'

/** Loaded with the first screen behind the sign-in. */
export const StandardLayout = lazily(async () => (await import('./StandardLayout.tsx')).StandardLayout)
export const ScreenHost = lazily(async () => (await import('./ScreenHost.tsx')).ScreenHost)

/** Loads what is drawn around every screen, and asks for the screen at this address meanwhile. */
export async function prepareFirstScreen(frame: ConsoleFrame): Promise<void> {
  const [{ fetchFirstScreen }] = await Promise.all([import('./first-screen.ts'), StandardLayout.load(), ScreenHost.load()])
  void fetchFirstScreen(frame)
    .catch(() => undefined)
    // Of somebody who is impersonated nothing stays on the device.
    .finally(() => {
      if (!frame.impersonation) keepFirstReads()
    })
}
