import type { ReactNode } from 'react'

/** The content of a toast; `action` is a button in it (undo, open). */
export interface Toast {
  title: string
  body?: ReactNode
  action?: { label: string; run: () => void }
  /** Seconds until it closes; default 6, 0 stays. */
  seconds?: number
  /**
   * Closes when the user opens another screen. So do all toasts with an action, which refers to the former screen, unless they stay (0
   * seconds).
   */
  endsWithPage?: boolean
  /** A later toast with the same key replaces this one. */
  key?: string
}
export type ToastSeverity = 'success' | 'warning' | 'info' | 'danger'
type Show = (severity: ToastSeverity, toast: Toast) => void

let show: Show | null = null
let waiting: [ToastSeverity, Toast][] = []
let onEnd: (() => void) | null = null
let onFirst: (() => void) | null = null

/** Shows the user a short message; an error must also be visible in the page, never only in a toast. */
export const toast = {
  success: (content: Toast): void => send('success', content),
  warning: (content: Toast): void => send('warning', content),
  info: (content: Toast): void => send('info', content),
  danger: (content: Toast): void => send('danger', content),
}

/** Connects the toasts to the mounted notification host; shows those sent before. */
export function setToastHost(host: Show | null): void {
  show = host
  if (!host) return
  for (const [severity, content] of waiting) host(severity, content)
  waiting = []
}

/** Calls back once when a toast waits for its host, which is loaded only then; returns a function that cancels it. */
export function onToastWaiting(handler: () => void): () => void {
  onFirst = handler
  if (waiting.length > 0) handler()
  return () => {
    onFirst = null
  }
}

/** Reports that another screen is open: toasts of the former one close. */
export const endPage = (): void => onEnd?.()

/** Calls back whenever another screen is opened; returns a function that cancels it. */
export function onPageEnd(handler: () => void): () => void {
  onEnd = handler
  return () => {
    onEnd = null
  }
}

function send(severity: ToastSeverity, content: Toast): void {
  if (show) return show(severity, content)
  const next: [ToastSeverity, Toast] = [severity, content]
  waiting = [...waiting, next].slice(-3)
  onFirst?.()
}
