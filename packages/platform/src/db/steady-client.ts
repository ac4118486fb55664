import pg from 'pg'

/**
 * A connection whose loss never ends the process. For pools of others (BullMQ's): pg takes its own listener away
 * while a connection is lent out, and a loss between two statements would then be an uncaught error. Who waits for
 * an answer on it is told all the same.
 */
export class SteadyClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', () => undefined)
  }
}
