/** Runs a program's start; when it fails says why in one line and exits with 1. Ends it when the one who started it is gone. */
export function runProgram(start: () => Promise<void>): void {
  // Who started us over a channel and is gone leaves nobody to work for, be it that we still wait for the database.
  if (process.send) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  start().catch((error: NodeJS.ErrnoException) => {
    const isTaken = error.code === 'EADDRINUSE'
    process.stderr.write(`${isTaken ? `Port in use: ${error.message}. Stop what listens there or set PORT` : error.message}\n`, () => process.exit(1))
  })
}

/** Says where the program listens: to who started it, over the channel; else as a line of JSON. */
export function sayReady(where: { url: string } & Record<string, unknown>): void {
  const ready = { ready: true, ...where, pid: process.pid }
  if (!process.send) return void process.stdout.write(`${JSON.stringify(ready)}\n`)
  process.send(ready)
}
