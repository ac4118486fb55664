import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { RouteEffects } from './RouteEffects.tsx'
import { Splash } from './Splash.tsx'
import { t } from '../session/labels.ts'

/** Around every screen: the way to skip to the content, page titles, focus after a change of screen. */
export function RootLayout() {
  return (
    <>
      <a className="o-skip" href="#main" onClick={skipToMain}>
        {t('Skip to main content')}
      </a>
      <RouteEffects />
      <Suspense fallback={<Splash />}>
        <Outlet />
      </Suspense>
    </>
  )
}

/** Moves the focus without touching the address, whose fragment may belong to the screen. */
function skipToMain(event: { preventDefault: () => void }): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
