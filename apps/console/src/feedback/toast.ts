import type { ReactNode } from 'react'

/** What a toast shows; `action` is a button (undo, open) inside it. */
export interface Toast {
  title: string
  body?: ReactNode
  action?: { label: string, run: () => void }
  /** Seconds until it goes; 6 unless said otherwise, 0 stays. */
  seconds?: number
  /** It goes when the user goes to another screen. So do all with an action, which belongs to what was seen there, unless they stay (0 seconds). */
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

/** Tells the user something short; an error must also stand in the page, a toast is never its only carrier. */
export const toast = {
  success: (content: Toast): void => send('success', content),
  warning: (content: Toast): void => send('warning', content),
  info: (content: Toast): void => send('info', content),
  danger: (content: Toast): void => send('danger', content),
}

/** Connects the toasts to the mounted notification host; those sent before it are shown then. */
export function setToastHost(host: Show | null): void {
  show = host
  if (!host) return
  for (const [severity, content] of waiting) host(severity, content)
  waiting = []
}

/** Calls back once when a toast waits for its host, which is loaded only then; returns the way to stop. */
export function onToastWaiting(handler: () => void): () => void {
  onFirst = handler
  if (waiting.length > 0) handler()
  return () => {
    onFirst = null
  }
}

/** Tells the toasts that another screen is open: notices of the former one go. */
export const endPage = (): void => onEnd?.()

/** Calls back whenever another screen is opened; returns the way to stop. */
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
