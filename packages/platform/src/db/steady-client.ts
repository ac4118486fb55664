import pg from 'pg'

/**
 * A connection whose loss never ends the process, with or without a listener. For connections of others (BullMQ's): pg removes its own
 * listener while one is in use, and BullMQ has none between the first answer of its listening connection and the next turn, nor while it
 * closes. Pending queries still fail with the error.
 */
export class SteadyClient extends pg.Client {
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'error' && this.listenerCount('error') === 0) return false
    return super.emit(event as 'error', ...(values as [Error]))
  }
}

// BullMQ accepts a client class for its pool only; its listening connection is created here.
pg.Client = SteadyClient
