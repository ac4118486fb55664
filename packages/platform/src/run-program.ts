/**
 * Runs a program's start. On failure it prints the reason in one line and exits with 1. Ends the program when its parent process is
 * gone.
 */
export function runProgram(start: () => Promise<void>): void {
  // A parent that is gone has no use for us, even while we still wait for the database.
  if (process.send) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  start().catch((error: NodeJS.ErrnoException) => {
    const isTaken = error.code === 'EADDRINUSE'
    process.stderr.write(`${isTaken ? `Port in use: ${error.message}. Stop what listens there or set PORT` : error.message}\n`, () =>
      process.exit(1),
    )
  })
}

/** Announces where the program listens: to the parent process over the channel; else as a line of JSON. */
export function announceReady(where: { url: string } & Record<string, unknown>): void {
  const ready = { ready: true, ...where, pid: process.pid }
  if (!process.send) return void process.stdout.write(`${JSON.stringify(ready)}\n`)
  process.send(ready)
}
