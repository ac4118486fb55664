import pg from 'pg'

/**
 * A connection whose loss never ends the process, listened to or not. For connections of others (BullMQ's): pg takes
 * its own listener away while one is lent out, and BullMQ has none between the first answer of its listening connection
 * and the next turn, nor while it closes. Who waits for an answer on it is told all the same.
 */
export class SteadyClient extends pg.Client {
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event === 'error' && this.listenerCount('error') === 0) return false
    return super.emit(event as 'error', ...values as [Error])
  }
}

// BullMQ takes a client class for its pool only; the one that it listens with is made from here.
pg.Client = SteadyClient
