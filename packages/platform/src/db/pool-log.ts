/** The part of a log that the pools need. */
export interface PoolLog {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
}
