import { Button, notification as antdNotification } from 'antd'
import { useEffect } from 'react'
import { setToastHost } from './toast.ts'
import type { Toast, ToastSeverity } from './toast.ts'

const shows = { success: 'success', warning: 'warning', info: 'info', danger: 'error' } as const
let count = 0

/** Mounts the toasts on antd's notifications, so that they follow the theme; at most three stand at once. */
export function ToastHost() {
  const [notification, place] = antdNotification.useNotification({ maxCount: 3, placement: 'bottomRight' })
  useEffect(() => {
    setToastHost((severity: ToastSeverity, toast: Toast) => {
      const key = toast.key ?? `toast-${++count}`
      notification[shows[severity]]({
        key, title: toast.title, description: toast.body, role: severity === 'danger' ? 'alert' : 'status',
        duration: toast.seconds === 0 ? false : toast.seconds ?? 6, pauseOnHover: true,
        actions: toast.action && <ToastAction action={toast.action} close={() => notification.destroy(key)} />,
      })
    })
    return () => setToastHost(null)
  }, [notification])
  return place
}

function ToastAction({ action, close }: { action: NonNullable<Toast['action']>, close: () => void }) {
  const run = (): void => {
    close()
    action.run()
  }
  return <Button size="small" type="primary" onClick={run}>{action.label}</Button>
}
