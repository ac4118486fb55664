import type { ConsoleLayout } from '@outpost/contract/console'
import type { CustomScreen } from '@outpost/contract/views/custom-screens'
import type { View } from '@outpost/contract/views'
import { queryClient } from '../data/query-client.ts'
import { customScreens } from './index.ts'

interface Place {
  params: Record<string, string>
  layout: ConsoleLayout
}

/** What hand-made screens with a long way to their first picture ask for while their program is still loaded. */
const questions: Partial<Record<CustomScreen, (place: Place) => Promise<unknown>>> = {
  'live-map': async () => queryClient.prefetchQuery((await import('./fleet/fleet-query.ts')).fleetQuery()),
  replay: async ({ params: { id = '', date = '' }, layout }) =>
    queryClient.prefetchQuery((await import('./fleet/replay/day.ts')).dayQuery({ id, date, timeZone: layout.company.timeZone })),
}

/** Loads a hand-made screen, and asks for what it shows at this place meanwhile. */
export async function askAhead(view: View | undefined, place: Place): Promise<void> {
  if (view?.kind !== 'custom') return
  await Promise.all([customScreens[view.screen].load(), questions[view.screen]?.(place)])
}
