import { useMatches, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import type { ScreenEntry } from '@outpost/contract/console'
import { useScreen } from '../../data/queries.ts'
import { isStoreSettled, storeSettled } from '../../offline/current.ts'
import { customScreens } from '../../custom/index.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { ViewHost } from '../../view/ViewHost.tsx'
import { EmptyState, ErrorState } from '../../view/states/index.tsx'
import { ScreenWait } from './ScreenWait.tsx'
import { t } from '../../session/labels.ts'

/** Fetches the view of the screen at this address and draws it; hand-made screens come from their registry. */
export function ScreenHost() {
  const screen = useMatches().at(-1)?.staticData.screen
  return screen ? <Screen key={screen.id} screen={screen} /> : null
}

function Screen({ screen }: { screen: ScreenEntry }) {
  const inPath: Record<string, string> = useParams({ strict: false })
  const id = textOf(useAddress().address.id)
  const params = screen.takesId && id !== undefined ? { ...inPath, id } : inPath
  const { data: view, error, refetch } = useScreen(screen.id)
  const isStoreThere = useStore()
  if (error && !view)
    return (
      <>
        <h1>{screen.title}</h1>
        <ErrorState error={error} what={t('This screen')} onRetry={() => void refetch()} />
      </>
    )
  if (screen.takesId && id === undefined)
    return (
      <>
        <h1>{screen.title}</h1>
        <EmptyState title={t('The address names no record')} body={t('Open one from its list.')} />
      </>
    )
  if (!view || !isStoreThere) return <ScreenWait />
  const Custom = view.kind === 'custom' ? customScreens[view.screen] : null
  return (
    <Suspense fallback={<ScreenWait />}>
      {Custom && view.kind === 'custom' ? (
        <Custom view={view} params={params} />
      ) : (
        <ViewHost view={view} params={params} customScreens={customScreens} />
      )}
    </Suspense>
  )
}

/** False until the store of this device is open, where there is one: screens read from it what the server does not know. */
function useStore(): boolean {
  const [isThere, setThere] = useState(isStoreSettled)
  useEffect(() => void storeSettled().then(() => setThere(true)), [])
  return isThere
}
