/** Runs a program's start; when it fails says why in one line and exits with 1. */
export function runProgram(start: () => Promise<void>): void {
  start().catch((error: NodeJS.ErrnoException) => {
    const isTaken = error.code === 'EADDRINUSE'
    process.stderr.write(`${isTaken ? `Port in use: ${error.message}. Stop what listens there or set PORT` : error.message}\n`, () => process.exit(1))
  })
}

/** Says where the program listens: to who started it over the channel, which also ends it when it is gone; else as a line of JSON. */
export function sayReady(where: { url: string } & Record<string, unknown>): void {
  const ready = { ready: true, ...where, pid: process.pid }
  if (!process.send) return void process.stdout.write(`${JSON.stringify(ready)}\n`)
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.send(ready)
}
