import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { queryClient } from './data/query-client.ts'
import { getLanguage, onLanguage } from './session/labels.ts'
import { getSession, onSession } from './session/store.ts'
import { LiveParts } from './shell/LiveParts.tsx'
import { Splash } from './shell/Splash.tsx'
import { makeRouter } from './shell/router.tsx'
import { ThemeProvider } from './theme/ThemeProvider.tsx'

/** Providers, and the router built from what the signed-in user may open. */
export function Root() {
  return (
    <ThemeProvider>
      <QueryClientProvider client={queryClient}>
        <Console />
        <LiveParts />
      </QueryClientProvider>
    </ThemeProvider>
  )
}

function Console() {
  const { phase, layout } = useSyncExternalStore(onSession, getSession)
  const language = useSyncExternalStore(onLanguage, getLanguage)
  // The router is made anew only when the language changes or the user may open other screens, not on every refresh of the layout.
  const shape = JSON.stringify([
    language,
    phase,
    layout?.user.Id,
    layout?.screens.map((screen) => [screen.id, screen.path, screen.permitted]),
  ])
  return phase === 'starting' ? <Splash /> : <Routes key={shape} />
}

function Routes() {
  const [router] = useState(makeRouter)
  return <RouterProvider router={router} />
}
