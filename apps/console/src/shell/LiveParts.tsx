import { lazy, Suspense, useEffect, useState } from 'react'
import { watchUpdates } from '../device/updates.ts'
import { onToastWaiting } from '../feedback/toast.ts'
import { useSession } from '../session/session.ts'

const SignedInParts = lazy(() => import('./SignedInParts.tsx').then((file) => ({ default: file.SignedInParts })))
const ToastHost = lazy(() => import('../feedback/ToastHost.tsx').then((file) => ({ default: file.ToastHost })))
const UpdatePrompt = lazy(() => import('./UpdatePrompt.tsx').then((file) => ({ default: file.UpdatePrompt })))

/** What is beside all screens, each loaded when it is needed: toasts, the update prompt, a signed-in user's dialogs. */
export function LiveParts() {
  const { phase, layout } = useSession()
  const [hasToast, setToast] = useState(false)
  const [reload, setReload] = useState<(() => Promise<void>) | null>(null)
  useEffect(() => onToastWaiting(() => setToast(true)), [])
  useEffect(() => watchUpdates((run) => setReload(() => run)), [])
  return (
    <>
      <Suspense fallback={null}>{hasToast && <ToastHost />}</Suspense>
      <Suspense fallback={null}>{reload && <UpdatePrompt reload={reload} onCancel={() => setReload(null)} />}</Suspense>
      <Suspense fallback={null}>{phase === 'in' && !layout?.mustChangePassword && <SignedInParts />}</Suspense>
    </>
  )
}
