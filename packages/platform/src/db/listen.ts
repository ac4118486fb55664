import pg from 'pg'
import type { Log } from '../log.ts'

export interface ListenOptions {
  url: string
  channel: string
  log: Log
  /** Called with each notification, and once without after every (re)connection, because some may have been missed. */
  onSignal: (payload?: string) => void
}

/** Listens to a NOTIFY channel on a connection of its own; reconnects by itself. */
export function listen({ url, channel, log, onSignal }: ListenOptions): { close(): Promise<void> } {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const connect = async () => {
    const next = new pg.Client({
      connectionString: url,
      application_name: `outpost listen ${channel}`,
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
    })
    client = next
    let isLost = false
    const lose = (error?: Error) => {
      if (isLost) return
      isLost = true
      if (!isClosed) {
        log.warn({ err: error, channel }, 'listening was interrupted')
        timer = setTimeout(() => void connect(), 500)
      }
      // The connection is lost either way; ending it only frees the socket.
      next.end().catch(() => undefined)
    }
    next.on('error', lose)
    next.on('end', () => lose())
    next.on('notification', ({ payload = '' }) => onSignal(payload))
    try {
      await next.connect()
      await next.query(`listen ${pg.escapeIdentifier(channel)}`)
      onSignal()
    } catch (error) {
      lose(error as Error)
    }
  }
  void connect()
  return {
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
