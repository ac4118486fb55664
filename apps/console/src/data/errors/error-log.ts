import { withoutPersons } from '@outpost/rules/privacy/without-persons'
import { makeWaitingList } from '../../offline/store/waiting-list.ts'
import { getToken, onToken } from '../../session/token.ts'
import { ApiError, isNetworkError } from '../api.ts'
import { call } from '../calls.ts'
import { onConnection } from '../connection.ts'
import { crumbsSoFar, type Breadcrumb } from './breadcrumbs.ts'
import { patternOf, screenOf } from './known-paths.ts'

/** One entry of the error log as it is sent; the Id makes a second sending harmless. */
interface Report {
  Id: string
  entityType: string
  errorDetail: { message: string; stack: string[]; screen: string; version: string; at: string; before: readonly Breadcrumb[] }
}

/** An error that comes with every draw is reported once, and a broken device reports so much and no more. */
const [mostOfSession, mostWaiting, mostStackLines] = [20, 50, 12]
const told = new Set<string>()
/** In memory: reports from before the sign-in, and of devices that keep nothing. */
const waiting = makeWaitingList<Report>('error-log', mostWaiting)

/** Writes every error that nobody handled into the company's error log; returns the way to stop. */
export function watchErrors(): () => void {
  const onError = ({ error, message }: ErrorEvent) => reportError(error ?? message)
  const onRejection = ({ reason }: PromiseRejectionEvent) => reportError(reason)
  addEventListener('error', onError)
  addEventListener('unhandledrejection', onRejection)
  const stops = [
    onConnection(({ isOnline }) => isOnline && void sendErrors()),
    onToken((token) => token !== null && void sendErrors()),
    () => removeEventListener('error', onError),
    () => removeEventListener('unhandledrejection', onRejection),
  ]
  return () => stops.forEach((stop) => stop())
}

/** Tells of an error once a session. What the server said, and that it could not be reached, is no error of the console. */
export function reportError(cause: unknown): void {
  if (cause instanceof ApiError || (cause instanceof DOMException && cause.name === 'AbortError')) return
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const stack = (error.stack ?? '')
    .split('\n')
    .slice(1, mostStackLines + 1)
    .map(placeOnly)
  const message = withoutPersons(`${error.name}: ${error.message}`, patternOf).slice(0, 500)
  const key = `${message} ${stack[0] ?? ''}`
  if (told.has(key) || told.size >= mostOfSession) return
  told.add(key)
  const report: Report = {
    Id: crypto.randomUUID(),
    entityType: 'console',
    errorDetail: {
      message,
      stack,
      screen: screenOf(location.pathname),
      version: import.meta.env.VITE_VERSION ?? 'dev',
      at: new Date().toISOString(),
      before: crumbsSoFar(),
    },
  }
  // Kept before it is sent, so that a page that goes away meanwhile loses nothing.
  void waiting.change((now) => [...now, report]).then(sendErrors)
}

/** A line of a stack without the address of the installation. */
const placeOnly = (line: string): string => withoutPersons(line.trim(), patternOf)

let sending: Promise<void> | null = null

/** Sends what waits, oldest first; what cannot be sent now waits on. One at a time. */
export function sendErrors(): Promise<void> {
  sending ??= sendAll().finally(() => {
    sending = null
  })
  return sending
}

async function sendAll(): Promise<void> {
  const done = new Set<string>()
  while (getToken() !== null) {
    const next = (await waiting.now()).find(({ Id }) => !done.has(Id))
    if (!next || !(await sendOne(next))) return
    done.add(next.Id)
    await waiting.change((now) => now.filter(({ Id }) => Id !== next.Id))
  }
}

/** False when it must wait; a report that the server refuses is given up. */
async function sendOne({ Id, entityType, errorDetail }: Report): Promise<boolean> {
  try {
    await call('errorLog.create', { body: { Id, entityType, errorDetail: JSON.stringify(errorDetail) } })
    return true
  } catch (error) {
    return !isNetworkError(error)
  }
}
