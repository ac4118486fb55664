import type { ClientMessageName, clientMessages, ServerEventName, ServerEvents, ServerMessage } from '@outpost/contract/events'
import type { z } from 'zod'
import { endSession, getToken } from '../session/token.ts'
import { call } from './calls.ts'
import { onConnection } from './connection.ts'
import { keys } from './keys.ts'
import { queryClient } from './query-client.ts'
import { refreshSoon } from './refresh.ts'

type Handler<Name extends ServerEventName> = (data: ServerEvents[Name]) => void
type Payload<Name extends ClientMessageName> = z.input<(typeof clientMessages)[Name]>

const handlers = new Map<ServerEventName, Set<(data: never) => void>>()
const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** The server's close code for a socket that made room for one of a newer tab (kernel/realtime/connection.ts). */
const madeRoom = 4002

let socket: WebSocket | null = null
let timer: ReturnType<typeof setTimeout> | null = null
let failures = 0
let isWanted = false
let isConnecting = false
/** Newer tabs have the sockets: this one asks for one again when somebody looks at it. */
let isOutOfSight = false
/** A socket was open before in this session: the next one comes after a gap. */
let wasOpen = false

/** Calls back on an event of the server; returns the way to stop. */
export function on<Name extends ServerEventName>(event: Name, handler: Handler<Name>): () => void {
  const set = handlers.get(event) ?? new Set()
  handlers.set(event, set.add(handler))
  return () => set.delete(handler)
}

/** Sends a message; false when there is no connection at present (the caller says so to the user). */
export function send<Name extends ClientMessageName>(event: Name, data: Payload<Name>): boolean {
  if (socket?.readyState !== WebSocket.OPEN) return false
  socket.send(JSON.stringify({ event, data }))
  return true
}

/** Opens the socket and keeps it open until disconnectLive; called after sign-in. */
export function connectLive(): void {
  isWanted = true
  void connect()
}

export function disconnectLive(): void {
  isWanted = false
  isOutOfSight = false
  if (timer) clearTimeout(timer)
  timer = null
  wasOpen = false
  hangUp()
}

function hangUp(): void {
  socket?.close(1000)
  socket = null
}

/** Pause before the next attempt: doubled each time up to 30 s, with jitter so that all consoles do not come at once. */
function again(): void {
  if (!isWanted || timer || isOutOfSight) return
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** failures)
  failures += 1
  timer = setTimeout(
    () => {
      timer = null
      void connect()
    },
    pause * (0.5 + Math.random()),
  )
}

async function connect(): Promise<void> {
  if (!isWanted || isConnecting || socket || getToken() === null) return
  isConnecting = true
  try {
    const { data } = await call('auth.ticket')
    if (isWanted) open(data.ticket)
  } catch {
    // No connection, or no session any more; the first is tried again, the second ended in api.
    again()
  } finally {
    isConnecting = false
  }
}

/** Answers that no event changes; all others may have missed one while the socket was away. */
const fixed: ReadonlySet<unknown> = new Set([
  keys.layout[0],
  keys.screen('')[0],
  'consent',
  'place',
  'geo-address',
  'file',
  'check',
  'onboarding',
  'merge',
])

/** Events were missed meanwhile: whatever lives by them is asked for again, be it a list, the bell or where people are. */
function askAgain(): void {
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => !fixed.has(queryKey[0]) })
}

function open(ticket: string): void {
  const address = new URL('/api/socket', location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  const opened = new WebSocket(address, ['outpost', `ticket.${ticket}`])
  socket = opened
  opened.addEventListener('open', () => {
    const isLate = wasOpen || failures > 0
    failures = 0
    wasOpen = true
    if (isLate) askAgain()
  })
  opened.addEventListener('message', (event: MessageEvent<string>) => receive(event.data))
  opened.addEventListener('close', ({ code }) => {
    if (socket === opened) socket = null
    if (code === madeRoom) isOutOfSight = true
    else again()
  })
}

function receive(text: string): void {
  const message = readMessage(text)
  if (!message) return
  for (const handler of handlers.get(message.event) ?? []) handler(message.data as never)
}

function readMessage(text: string): ServerMessage | null {
  try {
    return JSON.parse(text) as ServerMessage
  } catch {
    console.warn('A message of the server could not be read.')
    return null
  }
}

on('records.changed', ({ resource }) => refreshSoon(resource))
on('session.ended', ({ reason }) => {
  disconnectLive()
  endSession(reason)
})
/** Somebody is at this tab again, after newer ones took its place. */
export function comeBackLive(): void {
  if (!isOutOfSight || document.visibilityState !== 'visible') return
  isOutOfSight = false
  void connect()
}
if (typeof document === 'object')
  for (const name of ['focus', 'pointerdown', 'keydown', 'visibilitychange'] as const)
    addEventListener(name, comeBackLive, { passive: true, capture: true })

onConnection(({ isOnline }) => {
  // A line that went dead leaves a socket that looks open and hears nothing.
  if (!isOnline) hangUp()
  if (!isOnline || !isWanted || isOutOfSight) return
  if (timer) clearTimeout(timer)
  timer = null
  void connect()
})
