import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()

/** Runs everything that a request causes under its id: each log line written meanwhile carries it. */
export const withRequestId = <Result>(id: string, run: () => Result): Result => current.run(id, run)

/** The id of the request that is being answered; undefined outside of one. */
export const requestId = (): string | undefined => current.getStore()
