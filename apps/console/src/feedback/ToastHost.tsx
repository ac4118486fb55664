import { Button, notification as antdNotification } from 'antd'
import { useCallback, useEffect, useState } from 'react'
import { onPageEnd, setToastHost } from './toast.ts'
import { t } from '../session/labels.ts'
import type { Toast, ToastSeverity } from './toast.ts'

const shows = { success: 'success', warning: 'warning', info: 'info', danger: 'error' } as const
const userEvents = ['pointerdown', 'keydown', 'popstate'] as const
let count = 0

/** Shows toasts as antd notifications, so that they follow the theme; at most three at once. */
export function ToastHost() {
  const [notification, place] = antdNotification.useNotification({ maxCount: 3, placement: 'bottomRight' })
  const watch = useEndOfPage(notification.destroy)
  useEffect(() => {
    setToastHost((severity: ToastSeverity, toast: Toast) => {
      const key = toast.key ?? `toast-${++count}`
      watch(key, toast)
      notification[shows[severity]]({
        key,
        title: t(toast.title),
        description: typeof toast.body === 'string' ? t(toast.body) : toast.body,
        role: severity === 'danger' ? 'alert' : 'status',
        duration: toast.seconds === 0 ? false : (toast.seconds ?? 6),
        pauseOnHover: true,
        actions: toast.action && <ToastAction action={toast.action} close={() => notification.destroy(key)} />,
      })
    })
    return () => setToastHost(null)
  }, [notification, watch])
  return place
}

const isOfPage = ({ action, seconds, endsWithPage = action !== undefined && seconds !== 0 }: Toast): boolean => endsWithPage

/**
 * Closes the toasts of a page once the user leaves it. A page that the console opens after an action (the list after its record was
 * deleted) keeps them: the user touched nothing in between.
 */
function useEndOfPage(end: (key: string) => void): (key: string, toast: Toast) => void {
  const [ofPage] = useState(() => ({ fresh: new Set<string>(), seen: new Set<string>() }))
  useEffect(() => {
    const age = () => {
      for (const key of ofPage.fresh) ofPage.seen.add(key)
      ofPage.fresh.clear()
    }
    for (const name of userEvents) addEventListener(name, age, { capture: true })
    return () => {
      for (const name of userEvents) removeEventListener(name, age, { capture: true })
    }
  }, [ofPage])
  useEffect(
    () =>
      onPageEnd(() => {
        for (const key of ofPage.seen) end(key)
        ofPage.seen.clear()
      }),
    [ofPage, end],
  )
  return useCallback(
    (key, toast) => {
      ofPage.seen.delete(key)
      if (isOfPage(toast)) ofPage.fresh.add(key)
      else ofPage.fresh.delete(key)
    },
    [ofPage],
  )
}

function ToastAction({ action, close }: { action: NonNullable<Toast['action']>; close: () => void }) {
  const run = (): void => {
    close()
    action.run()
  }
  return (
    <Button size="small" type="primary" onClick={run}>
      {t(action.label)}
    </Button>
  )
}
